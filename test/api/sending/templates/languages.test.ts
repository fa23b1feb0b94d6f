import { faultsOf } from '../../../support/calls/campaigns';
import { onTheWireOf } from '../../../support/checks/wire';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const api = () => app.api();

const DE = { subject: 'Hallo {{firstName | "du"}}', body: '<p>Bis {{formatDate due "D. MMMM"}}</p>', fromName: 'Das Team' };
const AR = { subject: 'مرحبا', body: '<p>مرحبا بكم في المتجر</p>', previewText: 'أهلا' };
const TEMPLATE = {
  name: 'Welcome',
  subject: 'Hello {{firstName | "you"}}',
  body: '<p>By {{formatDate due "D MMMM"}}</p>',
  fromEmail: 'team@hello.test',
  fromName: 'The team',
  variants: { de: DE, ar: AR },
};
const DUE = { due: '2026-03-05' };

async function create(change: object = {}): Promise<string> {
  const { body } = await api()
    .post('/v1/templates')
    .send({ ...TEMPLATE, ...change })
    .expect(201);
  return body.data.templateId as string;
}

const contact = (email: string, locale: string | null) => api().post('/v1/contacts').send({ email, locale }).expect(201);

/** The messages of a send, as they are on the wire. */
async function send(templateId: string, to: string | readonly string[], more: object = {}) {
  const { body } = await api()
    .post('/v1/send')
    .send({ templateId, to, variables: DUE, ...more })
    .expect(200);
  return Promise.all((body.data.results as { id: string }[]).map(({ id }) => onTheWireOf(app, id)));
}

describe('variants of a template', () => {
  test('are stored under canonical tags, versioned as a set, and come back with a rollback', async () => {
    const templateId = await create({ variants: { 'DE-at': DE } });
    const read = async () => (await api().get(`/v1/templates/${templateId}`).expect(200)).body.data;
    expect((await read()).variants).toEqual({ 'de-AT': DE });
    const patch = (change: object) => api().patch(`/v1/templates/${templateId}`).send(change).expect(200);
    expect((await patch({ variants: { 'de-AT': DE } })).body.data.version).toBe(1);
    const fr = { subject: 'Bonjour', body: '<p>Bonjour</p>' };
    expect((await patch({ variants: { fr, 'de-AT': null } })).body.data).toMatchObject({ version: 2, variants: { fr } });
    expect((await patch({ variants: null })).body.data).not.toHaveProperty('variants');
    const rolledBack = await api().post(`/v1/templates/${templateId}/rollback`).send({ version: 1 }).expect(200);
    expect(rolledBack.body.data).toMatchObject({ version: 4, variants: { 'de-AT': DE } });
    await api().post(`/v1/templates/${templateId}/rollback`).send({ version: 3 }).expect(200);
    expect(await read()).not.toHaveProperty('variants');
    const { body } = await api().get(`/v1/templates/${templateId}/versions`).expect(200);
    expect((body.data.data as { variants?: object }[]).map(({ variants }) => Object.keys(variants ?? {}))).toEqual([
      [],
      ['de-AT'],
      [],
      ['fr'],
      ['de-AT'],
    ]);
  });

  test('change by language: people who edit different ones at once keep what the other has saved', async () => {
    const templateId = await create();
    const fr = { subject: 'Bonjour', body: '<p>Bonjour</p>' };
    const patch = (variants: object, status = 200) => api().patch(`/v1/templates/${templateId}`).send({ variants }).expect(status);
    await Promise.all([patch({ de: { ...DE, subject: 'Servus' } }), patch({ fr }), patch({ ar: null })]);
    const { body } = await patch({});
    expect(body.data).toMatchObject({ version: 4 });
    expect(body.data.variants).toEqual({ de: { ...DE, subject: 'Servus' }, fr });
    const others = Array.from({ length: 29 }, (_, index) => [`de-${String(100 + index)}`, DE] as const);
    expect(faultsOf((await patch(Object.fromEntries(others), 422)).body)).toEqual([['variants', 'too_big']]);
    await patch({ ...Object.fromEntries(others), fr: null });
  });

  test('are refused with the place of each fault', async () => {
    const refused = async (variants: object) =>
      faultsOf(
        (
          await api()
            .post('/v1/templates')
            .send({ ...TEMPLATE, variants })
            .expect(422)
        ).body,
      );
    expect(await refused({ not_a_tag: DE })).toEqual([['variants.not_a_tag', 'invalid_string']]);
    expect(await refused({ de: DE, DE })).toEqual([['variants.DE', 'invalid_combination']]);
    expect(await refused({ de: { subject: 'Hallo' } })).toEqual([['variants.de.body', 'invalid_type']]);
    expect(await refused({ de: { ...DE, bodyBlocks: 7 } })).toEqual([['variants.de.bodyBlocks', 'invalid_type']]);
    expect(await refused({ de: { ...DE, bodyBlocks: ['x'.repeat(3 * 1_048_576)] } })).toEqual([['variants', 'too_big']]);
    expect(await refused({ de: { ...DE, subject: '{{#if a}}', previewText: '{{/if}}' } })).toEqual([
      ['variants.de.subject', 'invalid_template'],
      ['variants.de.previewText', 'invalid_template'],
    ]);
    const tags = Array.from({ length: 30 }, (_, index) => `de-${String(100 + index)}`);
    expect(await refused(Object.fromEntries([...tags, 'not_a_tag'].map((tag) => [tag, DE])))).toEqual([['variants', 'too_big']]);
  });
});

describe('a send of a template', () => {
  test('gives each recipient the language of the contact, from the region to the language to the default', async () => {
    const templateId = await create();
    const locales = { at: 'de-AT', none: null, fr: 'fr', old: 'ar-EG' };
    for (const [name, locale] of Object.entries(locales)) await contact(`${name}@example.com`, locale);
    const to = ['at', 'none', 'fr', 'old', 'stranger'].map((name) => `${name}@example.com`);
    const mails = await send(templateId, to);
    expect(mails.map(({ parsed }) => parsed.subject)).toEqual(['Hallo du', 'Hello you', 'Hello you', 'مرحبا', 'Hello you']);
    expect(mails.map(({ parsed }) => parsed.headers.get('content-language'))).toEqual(['de', undefined, undefined, 'ar', undefined]);
    expect(mails.map(({ parsed }) => parsed.from?.value[0]?.name)).toEqual(['Das Team', 'The team', 'The team', 'The team', 'The team']);
  });

  test('writes dates in the language, and Arabic from right to left', async () => {
    const templateId = await create({ type: 'marketing' });
    await contact('datum@example.com', 'de');
    await contact('tarikh@example.com', 'ar');
    const [de, ar, en] = await send(templateId, ['datum@example.com', 'tarikh@example.com', 'date@example.com']);
    expect(de?.parsed.html).toContain('Bis 5. März');
    expect(en?.parsed.html).toContain('By 5 March');
    expect(ar?.parsed.html).toContain('<div dir="rtl" lang="ar"><p>');
    expect(ar?.parsed.html).toContain('<p lang="en" dir="ltr"');
    expect(ar?.parsed.html).toContain('أهلا');
    expect(en?.parsed.html).not.toContain('dir=');
  });

  test('takes `locale` instead of that of the contact, also for somebody who is none', async () => {
    const templateId = await create();
    const [mail] = await send(templateId, 'nobody@example.com', { locale: 'de-CH', createContact: false });
    expect(mail?.parsed.subject).toBe('Hallo du');
    const [own] = await send(templateId, 'nobody@example.com', { locale: 'de', subject: 'For all', createContact: false });
    expect(own?.parsed.subject).toBe('For all');
  });

  test('of copies is one message, in the language of the first recipient', async () => {
    const templateId = await create();
    await contact('first@example.com', 'de');
    const mails = await send(templateId, 'first@example.com', { cc: 'second@example.com' });
    expect(mails.map(({ parsed }) => parsed.subject)).toEqual(['Hallo du']);
  });
});

test('a field that only a variant reads is in use', async () => {
  const templateId = await create({ variants: { de: { subject: 'Hallo', body: '<p>{{data.lieblingsfarbe}}</p>' } } });
  const { body } = await api().get('/v1/contacts/fields/lieblingsfarbe/usage').expect(200);
  expect(JSON.stringify(body.data)).toContain(templateId);
});

describe('trying out', () => {
  const testSend = (templateId: string, more: object) =>
    api()
      .post(`/v1/templates/${templateId}/test-send`)
      .send({ to: 'me@example.com', variables: DUE, ...more });

  test('sends one language, the default, or all at once', async () => {
    const templateId = await create();
    const subjectOf = async (id: string) => (await onTheWireOf(app, id)).parsed.subject;
    const one = await testSend(templateId, { language: 'de-AT' }).expect(200);
    expect(await subjectOf(one.body.data.id as string)).toBe('[Test] Hallo du');
    const { body } = await testSend(templateId, { language: 'all' }).expect(200);
    const sent = body.data.languages as { language: string | null; id: string }[];
    expect(sent.map(({ language }) => language)).toEqual([null, 'de', 'ar']);
    expect(body.data.id).toBe(sent[0]?.id);
    expect(await Promise.all(sent.map(({ id }) => subjectOf(id)))).toEqual(['[Test] Hello you', '[Test] Hallo du', '[Test] مرحبا']);
    expect(faultsOf((await testSend(templateId, { language: 'fr' }).expect(422)).body)).toEqual([['language', 'not_found']]);
  });

  test('sends content that is not stored, in its languages', async () => {
    const { name: _, ...content } = TEMPLATE;
    const tried = (change: object, status: number) =>
      api()
        .post('/v1/templates/test-send')
        .send({ ...content, to: 'me@example.com', variables: DUE, language: 'all', ...change })
        .expect(status);
    const sent = (await tried({}, 200)).body.data.languages as { id: string }[];
    const mails = await Promise.all(sent.map(async ({ id }) => (await onTheWireOf(app, id)).parsed));
    expect(mails.map(({ subject, from }) => [subject, from?.value[0]?.name])).toEqual([
      ['[Test] Hello you', 'The team'],
      ['[Test] Hallo du', 'Das Team'],
      ['[Test] مرحبا', 'The team'],
    ]);
    expect(mails[1]?.html).toContain('Bis 5. März');
    const fault = await tried({ variants: { de: { ...DE, body: '{{#if a}}' } } }, 422);
    expect(faultsOf(fault.body)).toEqual([['variants.de.body', 'invalid_template']]);
  });

  test('previews a variant with its direction and its dates', async () => {
    const preview = async (language: string | undefined, body: string) =>
      (await api().post('/v1/templates/preview').send({ subject: 'x', body, variables: DUE, language }).expect(200)).body.data
        .html as string;
    expect(await preview('de', DE.body)).toBe('<p>Bis 5. März</p>');
    expect(await preview('he', '<html><body>x</body></html>')).toContain('<html dir="rtl" lang="he">');
    expect(await preview('fa', '<html dir="ltr"><body>x</body></html>')).toContain('<html dir="ltr"><body>');
    expect(await preview(undefined, DE.body)).toBe('<p>Bis 5. March</p>');
  });
});

import { faultsOf } from '../../../support/calls/campaigns';
import { activate, chain, contact as contactOf, play, send as sendNode } from '../../../support/calls/automations';
import { onTheWireOf } from '../../../support/checks/wire';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const api = () => app.api();

beforeEach(async () => {
  await stored.emails.remove();
  await put({});
});

const GREETING = { default: 'Hello', de: 'Hallo', 'de-AT': 'Servus' };
const TEXTS = { greeting: GREETING, 'shop.name': { default: 'Fish & Chips', fr: 'Poisson <b>"frites"</b>' } };
const HTML = '<p>{{t "greeting"}} {{firstName}}, from {{t \'shop.name\'}}</p>';

const put = (translations: object, more: object = {}) =>
  api()
    .put('/v1/translations')
    .send({ translations, ...more });
const read = async () => (await api().get('/v1/translations').expect(200)).body.data;
const contact = (email: string, locale: string | null) => api().post('/v1/contacts').send({ email, locale, firstName: 'Resi' }).expect(201);

async function send(message: object) {
  const { body } = await api()
    .post('/v1/send')
    .send({ from: 'team@hello.test', ...message })
    .expect(200);
  return Promise.all((body.data.results as { id: string }[]).map(({ id }) => onTheWireOf(app, id)));
}

describe('the translations of a project', () => {
  test('are replaced as a whole, under canonical tags, and counted', async () => {
    const { version } = (await read()) as { version: number };
    expect((await put({ ...TEXTS, greeting: { default: 'Hello', 'DE-at': 'Servus' } }).expect(200)).body.data).toEqual({
      translations: { ...TEXTS, greeting: { default: 'Hello', 'de-AT': 'Servus' } },
      version: version + 1,
      updatedAt: expect.any(String),
    });
    await put({ greeting: GREETING }).expect(200);
    expect(await read()).toMatchObject({ translations: { greeting: GREETING }, version: version + 2 });
  });

  test('of two changes of one version, one is refused, and nothing is lost', async () => {
    const { version } = (await read()) as { version: number };
    const answers = await Promise.all(['One', 'Two'].map((text) => put({ greeting: { default: text } }, { version })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await read()).toMatchObject({ version: version + 1 });
  });

  test.each([
    ['a key with a space', { 'my key': { default: 'x' } }, [['translations.my key', 'invalid_string']]],
    ['a key that begins with a digit', { '1st': { default: 'x' } }, [['translations.1st', 'invalid_string']]],
    ['no default', { a: { de: 'x' } }, [['translations.a.default', 'invalid_combination']]],
    ['no language', { a: { default: 'x', 'not a tag': 'y' } }, [['translations.a.not a tag', 'invalid_string']]],
    ['one language twice', { a: { default: 'x', de: 'y', DE: 'z' } }, [['translations.a.DE', 'invalid_combination']]],
    [
      'bad keys beside bad texts',
      { '1st': { de: 5 }, a: { default: '' } },
      [
        ['translations.1st.de', 'invalid_type'],
        ['translations.1st.default', 'invalid_combination'],
        ['translations.a.default', 'too_small'],
        ['translations.1st', 'invalid_string'],
      ],
    ],
    ['an empty text', { a: { default: '' } }, [['translations.a.default', 'too_small']]],
    ['a long text', { a: { default: 'x'.repeat(2_001) } }, [['translations.a.default', 'too_big']]],
    ['a list', { a: ['x'] }, [['translations.a', 'invalid_type']]],
    [
      'too many keys',
      Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`k${n}`, { default: 'x' }])),
      [['translations', 'too_big']],
    ],
  ])('are refused with the place of the fault: %s', async (_what, translations, faults) => {
    expect(faultsOf((await put(translations).expect(422)).body)).toEqual(faults);
  });

  test('belong to one project', async () => {
    await put(TEXTS).expect(200);
    expect((await app.api(app.otherKeys.secret).get('/v1/translations').expect(200)).body.data).toMatchObject({ translations: {} });
  });
});

describe('mail reads translations', () => {
  test('in the language of each recipient, from the region to the language to the default', async () => {
    await put(TEXTS).expect(200);
    for (const [name, locale] of [
      ['wien', 'de-AT'],
      ['bern', 'de-CH'],
      ['york', 'en-US'],
      ['nowhere', null],
    ] as const)
      await contact(`${name}@example.com`, locale);
    const to = ['wien', 'bern', 'york', 'nowhere', 'stranger'].map((name) => `${name}@example.com`);
    const sent = await send({ to, subject: '{{t "greeting"}}!', html: HTML });
    expect(sent.map(({ parsed: { subject } }) => subject)).toEqual(['Servus!', 'Hallo!', 'Hello!', 'Hello!', 'Hello!']);
    expect(sent[0]?.parsed.text).toBe('Servus Resi, from Fish & Chips');
  });

  test('escaped, also in a stored template', async () => {
    await put(TEXTS).expect(200);
    await contact('lyon@example.com', 'fr');
    const template = { name: 'T', subject: 'From {{t "shop.name"}}', body: HTML, fromEmail: 'team@hello.test' };
    const { body } = await api().post('/v1/templates').send(template).expect(201);
    const [sent] = await send({ to: 'lyon@example.com', templateId: body.data.templateId });
    expect(sent?.parsed.subject).toBe('From Poisson <b>"frites"</b>');
    const html = String(sent?.parsed.html);
    expect(html).toContain('from Poisson &lt;b&gt;&quot;frites&quot;&lt;/b&gt;</p>');
    expect(html).not.toContain('<b>');
  });

  test('as they were when the message was accepted', async () => {
    await put(TEXTS).expect(200);
    const { body } = await api()
      .post('/v1/send')
      .send({ from: 'team@hello.test', to: 'late@example.com', subject: 's', html: HTML })
      .expect(200);
    await put({ greeting: { default: 'Changed' } }).expect(200);
    const before = await onTheWireOf(app, (body.data.results as { id: string }[])[0]?.id ?? '');
    expect(before.parsed.text).toContain('Hello');
    const [after] = await send({ to: 'late@example.com', subject: 's', html: HTML });
    expect(after?.parsed.text).toContain('Changed');
  });

  test('by the locale of a send, and in the language of a variant', async () => {
    await put(TEXTS).expect(200);
    const [own] = await send({ to: 'new@example.com', locale: 'de', subject: '{{t "greeting"}}', html: HTML });
    expect(own?.parsed.subject).toBe('Hallo');
    const { body } = await api()
      .post('/v1/templates/preview')
      .send({ subject: '{{t "greeting"}}', body: HTML, language: 'de-AT' })
      .expect(200);
    expect(body.data.subject).toBe('Servus');
  });

  test('a missing one is its fallback, or nothing, and is named in test mode', async () => {
    const html = '<p>{{t "no.such" | "Hi"}}{{t "missing"}}.</p>';
    const test = { from: 'team@hello.test', to: 'any@example.com', subject: 's', html };
    const { body } = await app.api(app.keys.test).post('/v1/send').send(test).expect(200);
    expect(body.data.results[0].unresolvedPlaceholders).toEqual(['t "missing"']);
    const [sent] = await send({ to: 'any@example.com', subject: 's', html });
    expect(sent?.parsed.text).toBe('Hi.');
  });

  test('of automations too', async () => {
    await put(TEXTS).expect(200);
    const workflowId = await activate(app, chain(sendNode('mail', { subject: '{{t "greeting"}}', body: HTML })));
    await play(app, workflowId, await contactOf(app, { email: 'graz@example.com', locale: 'de-AT' }));
    const [row] = await stored.emails.all({ to: 'graz@example.com', source: 'workflow' });
    expect((await onTheWireOf(app, row?._id ?? '')).parsed.subject).toBe('Servus');
  });

  test.each([
    ['{{{t "greeting"}}}'],
    ['{{&t "greeting"}}'],
    ['{{{uppercase (t "greeting")}}}'],
    ['{{#with (t "greeting")}}{{{this}}}{{/with}}'],
    ['{{#each (or none (t "greeting")) as |letter|}}{{{letter}}}{{/each}}'],
    ['{{t firstName}}'],
    ['{{t}}{{t "a" "b"}}'],
    ['{{t "no key"}}'],
  ])('a template that would not escape them, or whose key is not known, is refused: %s', async (body) => {
    const template = { name: 'T', subject: 's', body, fromEmail: 'team@hello.test' };
    expect(faultsOf((await api().post('/v1/templates').send(template).expect(422)).body)).toEqual([['body', 'invalid_template']]);
  });
});

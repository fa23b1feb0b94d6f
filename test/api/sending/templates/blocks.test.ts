import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const DESIGN = {
  version: 1,
  lang: 'de',
  blocks: [
    { kind: 'heading', id: 'title', level: 1, spans: [{ text: '{{firstName}} <b>' }] },
    { kind: 'text', id: 'hello', lines: [{ spans: [{ text: 'Hello ' }, { field: 'firstName', fallback: 'friend' }] }] },
    { kind: 'image', id: 'boat', src: 'https://shop.test/boat.png', alt: '' },
  ],
};

const rendered = (given: object) => app.api().post('/v1/templates/render-blocks').send(given);

const CONTENT = { name: 'Boats', subject: 'Boats', fromEmail: 'shop@hello.test' };

async function created(): Promise<{ readonly url: string; readonly body: string }> {
  const { body: answer } = await rendered({ bodyBlocks: DESIGN }).expect(200);
  const { body } = answer.data as { body: string };
  const { body: template } = await app
    .api()
    .post('/v1/templates')
    .send({ ...CONTENT, body, bodyBlocks: DESIGN })
    .expect(201);
  return { url: `/v1/templates/${(template.data as { templateId: string }).templateId}`, body };
}

test('a design is rendered to the HTML of a message, with what readers would stumble over', async () => {
  const { body: answer } = await rendered({ bodyBlocks: DESIGN, type: 'marketing' }).expect(200);
  const { body, warnings } = answer.data as { body: string; warnings: readonly { code: string; block: string | null }[] };
  expect(body).toContain('<html lang="de"');
  expect(body).toContain('&#123;&#123;firstName&#125;&#125; &lt;b&gt;');
  expect(body).toContain('Hello {{firstName | "friend"}}');
  expect(warnings.map(({ code, block }) => [code, block])).toEqual([
    ['no_unsubscribe', null],
    ['no_alt', 'boat'],
  ]);
  const preview = await app.api().post('/v1/templates/preview').send({ subject: 's', body }).expect(200);
  expect((preview.body.data as { html: string }).html).toContain('Hello friend');
});

test('the JSON of a design as text gives the same HTML', async () => {
  const asObject = await rendered({ bodyBlocks: DESIGN }).expect(200);
  const asText = await rendered({ bodyBlocks: JSON.stringify(DESIGN) }).expect(200);
  expect(asText.body.data).toEqual(asObject.body.data);
});

test.each<[string, unknown, string]>([
  ['no JSON', '{', 'bodyBlocks'],
  ['a legacy list', [], 'bodyBlocks'],
  ['a block of another editor', { version: 1, blocks: [{ kind: 'video', id: 'a' }] }, 'bodyBlocks.blocks.0.kind'],
  [
    'a link that runs code',
    { version: 1, blocks: [{ kind: 'button', id: 'a', label: [], link: 'javascript:alert(1)' }] },
    'bodyBlocks.blocks.0.link',
  ],
  ['HTML that is no template', { version: 1, blocks: [{ kind: 'html', id: 'a', html: '{{#if}}' }] }, 'bodyBlocks'],
  ['HTML that closes a condition around it', { version: 1, blocks: [{ kind: 'html', id: 'a', html: '{{/if}}' }] }, 'bodyBlocks'],
])('a design of %s is refused where it is wrong', async (_what, bodyBlocks, path) => {
  const { body } = await rendered({ bodyBlocks }).expect(422);
  expect((body.details as { path: string }[]).map((detail) => detail.path)).toContain(path);
});

test('a template keeps its design next to the HTML, also in its versions and its copy', async () => {
  const { url, body } = await created();
  expect((await app.api().get(url)).body.data).toMatchObject({ body, bodyBlocks: DESIGN, version: 1 });
  expect((await app.api().post(`${url}/duplicate`).expect(201)).body.data).toMatchObject({ bodyBlocks: DESIGN });
  const changed = await app.api().patch(url).send({ body: '<p>HTML</p>', bodyBlocks: null }).expect(200);
  expect(changed.body.data).toMatchObject({ version: 2 });
  expect(changed.body.data).not.toHaveProperty('bodyBlocks');
  const back = await app.api().post(`${url}/rollback`).send({ version: 1 }).expect(200);
  expect(back.body.data).toMatchObject({ body, bodyBlocks: DESIGN, version: 3 });
  const html = await app.api().post(`${url}/rollback`).send({ version: 2 }).expect(200);
  expect(html.body.data).not.toHaveProperty('bodyBlocks');
  const { body: versions } = await app.api().get(`${url}/versions`);
  const designs = (versions.data.data as { bodyBlocks?: object }[]).map((version) => 'bodyBlocks' in version);
  expect(designs).toEqual([false, true, false, true]);
});

test('each language keeps its design next to its HTML, also in versions and copies, and loses it with other HTML', async () => {
  const { url, body } = await created();
  const german = { subject: 'Boote', body, bodyBlocks: DESIGN };
  const french = { subject: 'Bateaux', body: '<p>Bateaux</p>', bodyBlocks: '{"mine": true}' };
  const patch = async (variants: object) => (await app.api().patch(url).send({ variants }).expect(200)).body.data;
  expect(await patch({ de: german, fr: french })).toMatchObject({ version: 2, variants: { de: german, fr: french } });
  expect((await app.api().post(`${url}/duplicate`).expect(201)).body.data.variants).toEqual({ de: german, fr: french });
  const { bodyBlocks: _, ...html } = german;
  expect(await patch({ de: { ...html, body: '<p>Boote</p>' } })).toMatchObject({ version: 3 });
  expect((await app.api().get(url)).body.data.variants).toEqual({ de: { ...html, body: '<p>Boote</p>' }, fr: french });
  // A design is not sent: another one is stored, and is no version.
  expect(await patch({ fr: { ...french, bodyBlocks: [] } })).toMatchObject({ version: 3, variants: { fr: { bodyBlocks: [] } } });
  const back = await app.api().post(`${url}/rollback`).send({ version: 2 }).expect(200);
  expect(back.body.data).toMatchObject({ version: 4, variants: { de: german, fr: french } });
});

test('another design with the same HTML is stored, and is no version', async () => {
  const { url } = await created();
  const { body } = await app.api().patch(url).send({ bodyBlocks: '{"mine": true}' }).expect(200);
  expect(body.data).toMatchObject({ version: 1, bodyBlocks: '{"mine": true}' });
  expect((await app.api().get(url)).body.data).toMatchObject({ bodyBlocks: '{"mine": true}' });
});

import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject();

beforeAll(async () => {
  const contact = { email: 'ada@example.com', firstName: 'Ada', data: { plan: 'pro' } };
  await app.api().post('/v1/contacts').send(contact).expect(201);
});

const WRITTEN = {
  subject: 'Hello {{firstName | "friend"}}',
  body: '<p>On {{data.plan}} since {{since}}, <a href="https://example.com/">see</a>{{data.city}}</p>',
};
const preview = async (more: object = {}) =>
  (
    await app
      .api()
      .post('/v1/templates/preview')
      .send({ ...WRITTEN, ...more })
      .expect(200)
  ).body.data;

test('a preview has the values of a contact, by id or address, under the values that are given', async () => {
  const { body } = await app.api().get('/v1/contacts/ada@example.com').expect(200);
  for (const contact of ['ada@example.com', body.data.contactId as string]) {
    expect(await preview({ contact, variables: { since: '<2024>' } })).toEqual({
      subject: 'Hello Ada',
      html: '<p>On pro since &lt;2024&gt;, <a href="https://example.com/">see</a></p>',
      text: expect.stringContaining('On pro since <2024>'),
      placeholders: [
        { name: 'data.plan', found: true },
        { name: 'data.city', found: false },
        { name: 'firstName', found: true },
        { name: 'since', found: true },
      ],
      warnings: [],
    });
  }
  expect(await preview({ contact: 'ada@example.com', variables: { firstName: 'Grace' } })).toMatchObject({ subject: 'Hello Grace' });
});

test('a preview without a contact shows the fallbacks, and all names are missing', async () => {
  const { subject, placeholders } = await preview();
  expect(subject).toBe('Hello friend');
  expect((placeholders as { found: boolean }[]).map(({ found }) => found)).toEqual([false, false, false, false]);
});

test('placeholders of another service are warned of', async () => {
  const { warnings } = await preview({ body: '<p>Hello *|FNAME|*</p>' });
  expect(warnings).toEqual(['*|FNAME|* looks like Mailchimp and is sent as it is written: placeholders here are like {{firstName}}']);
});

test('marketing has the way to opt out that a message of it would have', async () => {
  expect((await preview({ type: 'marketing' })).html).toContain('Unsubscribe');
  expect((await preview()).html).not.toContain('Unsubscribe');
});

test('faults are named at their place; of another project a contact is not there; a loop without end is a failure', async () => {
  const post = (body: object, key?: string) => app.api(key).post('/v1/templates/preview').send(body);
  const { body } = await post({ subject: '{{#if}}', body: '{{nonsense' }).expect(422);
  expect((body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`)).toEqual([
    'subject invalid_template',
    'body invalid_template',
  ]);
  await post({ ...WRITTEN, contact: 'nobody@example.com' }).expect(404);
  await post({ ...WRITTEN, contact: 'ada@example.com' }, app.otherKeys.secret).expect(404);
  await post({ ...WRITTEN, contact: { $ne: null } }).expect(422);
  const many = Array.from({ length: 2_000 }, () => 'x');
  const loops = { subject: 'x', body: '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}', variables: { a: many } };
  expect((await post(loops)).body).toMatchObject({ code: 'send_failed', details: [{ code: 'template_render_failed' }] });
});

test('a preview sends and stores nothing', async () => {
  await preview({ contact: 'ada@example.com' });
  expect(await stored.emails.count()).toBe(0);
  expect(await stored.templates.count()).toBe(0);
});

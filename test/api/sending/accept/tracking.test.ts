import { campaignEmail, messageFor, outgoingOf } from '../../../../src/marketing/campaign-mail/mail';
import { ContentCompiler } from '../../../../src/message/template';
import { getProject } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { onTheWireOf } from '../../../support/checks/wire';

const compiler = new ContentCompiler();

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

afterEach(() => settings({ transactional: null, marketing: null }));

const HTML = '<p><a href="https://example.com/news">News</a> <a href="{{unsubscribeUrl}}">Leave</a></p>';
const MESSAGE = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hello' };
type Wish = { opens?: boolean; clicks?: boolean };
const settings = async (tracking: object) => (await app.api().patch('/v1/settings').send({ tracking }).expect(200)).body.data;
const template = async (tracking?: Wish) =>
  (
    await app
      .api()
      .post('/v1/templates')
      .send({ name: 'T', subject: 'Hello', body: HTML, fromEmail: 'team@hello.test', ...(tracking && { tracking }) })
      .expect(201)
  ).body.data as { templateId: string; version: number; tracking?: Wish };

const followedIn = (html: string): Wish => ({ opens: html.includes('/t/o/'), clicks: html.includes('/t/c/') });

/** What is followed of a message, by what goes over the wire and by what the API says. */
async function followed(message: object): Promise<Wish> {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MESSAGE, ...message })
    .expect(200);
  const { id } = body.data.results[0] as { id: string };
  const html = String((await onTheWireOf(app, id)).parsed.html);
  expect(html).toContain('/u/');
  const { tracking = { opens: true, clicks: true } } = (await app.api().get(`/v1/emails/${id}`).expect(200)).body.data as {
    tracking?: Wish;
  };
  expect(tracking).toEqual(followedIn(html));
  expect(html.includes('href="https://example.com/news"')).toBe(tracking.clicks === false);
  return tracking;
}

test.each<[Wish | undefined, Wish | undefined, Wish | undefined, Wish]>([
  [undefined, undefined, undefined, { opens: true, clicks: true }],
  [{ opens: false }, undefined, undefined, { opens: false, clicks: true }],
  [{ clicks: false }, undefined, undefined, { opens: true, clicks: false }],
  [undefined, { opens: false, clicks: false }, undefined, { opens: false, clicks: false }],
  [{ opens: true }, { opens: false, clicks: false }, undefined, { opens: true, clicks: false }],
  [undefined, undefined, { opens: false, clicks: false }, { opens: false, clicks: false }],
  [undefined, { opens: true }, { opens: false, clicks: false }, { opens: true, clicks: false }],
  [{ clicks: true }, { opens: true }, { opens: false, clicks: false }, { opens: true, clicks: true }],
])('send %j, template %j, project %j: %j', async (send, ofTemplate, project, expected) => {
  if (project) await settings({ transactional: project });
  const { templateId } = await template(ofTemplate);
  const contents = ofTemplate ? [{ templateId }] : [{ templateId }, { html: HTML }];
  for (const content of contents) expect(await followed({ ...content, ...(send && { tracking: send }) })).toEqual(expected);
});

test('the word of a project on one type of mail does not hold for the other', async () => {
  await settings({ transactional: { opens: false, clicks: false } });
  expect(await followed({ html: HTML, type: 'marketing' })).toEqual({ opens: true, clicks: true });
  const none = { opens: false, clicks: false };
  expect((await app.api().get('/v1/settings').expect(200)).body.data.tracking).toEqual({
    transactional: none,
    marketing: { opens: true, clicks: true },
  });
  expect((await settings({ marketing: { clicks: false } })).tracking).toEqual({
    transactional: none,
    marketing: { opens: true, clicks: false },
  });
  expect((await settings({ transactional: null })).tracking.transactional).toEqual({ opens: true, clicks: true });
  await app.api().patch('/v1/settings').send({}).expect(200);
  const { body } = await app
    .api()
    .patch('/v1/settings')
    .send({ tracking: { bulk: {} } })
    .expect(422);
  expect(body.details[0]).toMatchObject({ path: 'tracking.bulk', code: 'unrecognized_keys' });
});

test('a project is renamed, and a name that is none is refused', async () => {
  const patched = (body: object) => app.api().patch('/v1/settings').send(body);
  expect((await patched({ name: 'Fern & Bloom' }).expect(200)).body.data.name).toBe('Fern & Bloom');
  expect((await app.api().get('/v1/settings').expect(200)).body.data.name).toBe('Fern & Bloom');
  for (const name of ['', 'a\nb', 'n'.repeat(201), null]) await patched({ name }).expect(422);
});

test('a campaign goes by the word of its project', async () => {
  await settings({ marketing: { opens: false, clicks: false } });
  const project = await getProject(app.keys.projectId);
  const campaign = { _id: 'cmp_1', projectId: project._id, fromEmail: 'team@hello.test', fromName: null, replyTo: null, testMode: false };
  const outgoing = await outgoingOf(app.core, project, campaign as never);
  const contents = { contentId: 'c', content: compiler.compile({ subject: 'S', html: HTML, text: null }) };
  const reader = {
    recipient: { emailId: 'em_01kajw3v8n5t2r7y9m4q6s0x01', email: 'ada@example.com' },
    contact: { _id: 'ctc_1', firstName: null, lastName: null, locale: null, data: {} },
  };
  const attempt = { id: 'a', worker: 'w', at: new Date() };
  const { message, rendered } = messageFor(app.core, outgoing, reader, contents, attempt.at);
  expect(campaignEmail(outgoing, message, null, attempt).untracked).toEqual(['opens', 'clicks']);
  expect(followedIn(JSON.stringify(rendered))).toEqual({ opens: false, clicks: false });
});

test('what a template says of tracking is no content: it makes no version, and null takes it back', async () => {
  const { templateId, tracking } = await template({ opens: false });
  expect(tracking).toEqual({ opens: false });
  const patch = async (body: object) => (await app.api().patch(`/v1/templates/${templateId}`).send(body).expect(200)).body.data;
  expect(await patch({ tracking: { clicks: false } })).toMatchObject({ version: 1, tracking: { clicks: false } });
  const copy = (await app.api().post(`/v1/templates/${templateId}/duplicate`).expect(201)).body.data;
  expect(copy.tracking).toEqual({ clicks: false });
  const without = await patch({ tracking: null });
  expect(without).toMatchObject({ version: 1 });
  expect(without).not.toHaveProperty('tracking');
});

test.each([{ opens: 'no' }, { pixels: false }, null, true])('%j is no tracking', async (tracking) => {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MESSAGE, html: HTML, tracking })
    .expect(422);
  expect(body.details[0].path).toMatch(/^tracking/);
});

import { aProject } from '../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const MESSAGE = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hi', html: '<p>Hi</p>' };
const TEMPLATE = { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>', fromEmail: 'team@hello.test' };
const CAMPAIGN = { ...TEMPLATE, audience: 'all' };
const graph = (config: object) => ({
  nodes: [
    { id: 't', type: 'trigger', config: {} },
    { id: 's', type: 'send_email', config: { subject: 'Hi', body: '<p>Hi</p>', fromEmail: 'team@hello.test', ...config } },
  ],
  edges: [{ from: 't', to: 's' }],
});
const workflow = (config: object) => ({ name: 'Welcome', trigger: 'event:signed_up', graph: graph(config) });

test.each<[string, string, object, string]>([
  ['a message without a subject', '/v1/send', { ...MESSAGE, subject: '' }, 'subject'],
  ['a message with empty HTML', '/v1/send', { ...MESSAGE, html: '' }, 'html'],
  ['a message with empty text', '/v1/send', { ...MESSAGE, html: undefined, text: '' }, 'text'],
  ['a message of a batch', '/v1/send/batch', { messages: [MESSAGE, { ...MESSAGE, subject: '' }] }, 'messages.1.subject'],
  ['a template without a subject', '/v1/templates', { ...TEMPLATE, subject: '' }, 'subject'],
  ['a template without a body', '/v1/templates', { ...TEMPLATE, body: '' }, 'body'],
  ['a campaign without a subject', '/v1/campaigns', { ...CAMPAIGN, subject: '' }, 'subject'],
  ['a campaign without a body', '/v1/campaigns', { ...CAMPAIGN, body: '' }, 'body'],
  ['a workflow that sends without a subject', '/v1/workflows', workflow({ subject: '' }), 'graph.nodes.1.config.subject'],
  ['a workflow that sends nothing', '/v1/workflows', workflow({ body: '' }), 'graph.nodes.1.config.body'],
])('%s is refused', async (_what, path, body, at) => {
  const answer = await app.api().post(path).send(body).expect(422);
  expect(answer.body).toMatchObject({ code: 'validation_error', details: [{ path: at, code: 'too_small' }] });
});

test.each([
  ['/v1/templates', TEMPLATE],
  ['/v1/campaigns', CAMPAIGN],
])('%s keeps its subject and body through a change that would empty them', async (path, given) => {
  const { body } = await app.api().post(path).send(given).expect(201);
  const id = (body.data.templateId ?? body.data.campaignId) as string;
  for (const change of [{ subject: '' }, { body: '' }]) await app.api().patch(`${path}/${id}`).send(change).expect(422);
  expect((await app.api().get(`${path}/${id}`).expect(200)).body.data).toMatchObject({ subject: 'Hi', body: '<p>Hi</p>' });
});

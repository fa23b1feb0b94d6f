import { readFileSync } from 'node:fs';
import path from 'node:path';
import { aPlatform, eventually } from '../../../support/platform/platform';

interface Graph {
  readonly nodes: readonly { readonly type: string; readonly config: { templateId?: string } }[];
}

/** The automation that docs/automations.md begins with. */
function documented(templateId: string): { readonly name: string; readonly trigger: string; readonly graph: Graph } {
  const page = readFileSync(path.join(__dirname, '../../../../docs/automations.md'), 'utf8');
  const [, json = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
  return JSON.parse(json.replaceAll('tpl_nudge', templateId)) as ReturnType<typeof documented>;
}

const platform = aPlatform();

test('a person who signs up in a browser gets the welcome message that the docs show, and no marketing mail', async () => {
  const template = { name: 'Nudge', type: 'marketing', subject: 'Still there?', body: '<p>Hello</p>', fromEmail: 'team@hello.test' };
  const { templateId } = (await platform.post('/v1/templates', template)).body.data as { templateId: string };
  const automation = documented(templateId);
  const { workflowId } = (await platform.post('/v1/workflows', automation)).body.data as { workflowId: string };
  expect((await platform.request('PATCH', `/v1/workflows/${workflowId}`, { status: 'active' })).status).toBe(200);

  const asBrowser = { authorization: `Bearer ${platform.keys.public}`, origin: 'https://shop.example' };
  const event = { name: automation.trigger.replace('event:', ''), email: 'ada@example.com', data: { plan: 'pro' } };
  const { status, body } = await platform.post('/v1/events', event, asBrowser);
  expect([status, body.data.triggered]).toEqual([201, [expect.objectContaining({ workflowId, status: 'dispatched' })]]);

  await eventually('the welcome has arrived', () => platform.arrived('ada@example.com').length === 1, 30_000);
  const { body: listed } = await platform.get('/v1/emails?to=ada@example.com');
  expect(listed.data).toEqual([expect.objectContaining({ subject: 'Welcome, friend', type: 'transactional', workflowId })]);
  const { body: mail } = await platform.get(`/v1/emails/${listed.data[0].emailId}`);
  expect(mail.data.body).toContain('Your plan: pro');
  const { body: contact } = await platform.get('/v1/contacts/ada@example.com');
  expect(contact.data.subscribed).toBe(false);

  const marketing = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Offer', text: 'Offer', type: 'marketing' };
  const { body: offer } = await platform.post('/v1/send', marketing);
  expect(offer.data.results).toEqual([{ to: 'ada@example.com', skipped: 'unsubscribed' }]);

  await platform.post('/v1/events', { name: 'order.placed', email: 'ada@example.com' }, asBrowser);
  const { executionId } = (await platform.get(`/v1/workflows/${workflowId}/executions`)).body.data[0] as { executionId: string };
  const ended = await eventually('the execution has ended', async () => {
    const { data } = (await platform.get(`/v1/workflows/executions/${executionId}`)).body;
    return data.status === 'exited' ? data : null;
  });
  expect(ended).toMatchObject({ exitReason: 'ordered' });
});

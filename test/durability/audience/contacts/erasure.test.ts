import { unsubscribeUrl, viewInBrowserUrl } from '../../../../src/records/emails/urls';
import { erasureProgressQuery, erasureWorkflowId } from '../../../../src/contracts/removals';
import type { ErasureProgress } from '../../../../src/contracts/removals';
import { Secrets } from '../../../../src/platform/secrets';
import { chain, node, send } from '../../../support/calls/automations';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { made, aTemporalClient } from '../../../support/platform/platform-parts';
import { documentsWith, historiesWith } from '../../../support/checks/traces';
import { aReceiver } from '../../../support/servers/webhooks';
import { contactIdOf } from '../../../support/data/people';

jest.setTimeout(240_000);

const CLARA = 'clara.wolff@example.com';
/** All that was ever said of her, and no one else has that name. */
const WORDS = [
  CLARA,
  encodeURIComponent(CLARA),
  'clara',
  'wolff',
  'violet-plan',
  'reset-7qx',
  'invoice-1887',
  'ordered-words',
  'typed-words',
];

const receiver = aReceiver();
const platform = aPlatform({
  env: {
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SMTP_RETRY_SECONDS: Array(40).fill(3).join(','),
    LOG_LEVEL: 'debug',
  },
});
const client = aTemporalClient(platform);

beforeAll(() => {
  // A server that echoes what it gets.
  receiver.answer = (res, { raw }) => res.end(raw);
});

const erasure = async () =>
  (await platform.get(`/v1/contacts/${CLARA}/erasure`)).body.data as { erasureId: string; status: string; open: number };
const urls = (id: string) => {
  const core = { config: { PUBLIC_URL: platform.url, BOUNCE_DOMAIN: 'b.test' }, secrets: new Secrets([platform.env['APP_SECRET'] ?? '']) };
  return { view: viewInBrowserUrl(core, { _id: id }), unsubscribe: unsubscribeUrl(core, { _id: id }) };
};

/** Leaves a trace of every kind. Resolves to messages that matter later. */
async function leaveTraces(): Promise<{
  readonly sent: string;
  readonly scheduled: string;
  readonly campaignId: string;
  readonly deferred: string;
}> {
  await made(platform.post('/v1/webhooks', { url: `${receiver.url}/hook`, events: ['*'] }), 'webhookId');
  const person = { email: CLARA, firstName: 'Clara', lastName: 'Wolff', data: { plan: 'violet-plan' } };
  const contactId = await made(platform.post('/v1/contacts', person), 'contactId');
  await platform.post('/v1/contacts', { email: 'other@example.com', data: { plan: 'other' } });
  const segmentId = await made(platform.post('/v1/segments', { name: 'All', type: 'static' }), 'segmentId');
  await platform.post(`/v1/segments/${segmentId}/members`, { emails: [CLARA, 'other@example.com'] });
  const call = {
    url: `${receiver.url}/echo`,
    method: 'POST',
    headers: {},
    body: { who: '{{contact.email}}', plan: '{{contact.data.plan}}' },
  };
  const graph = chain(send('mail', { subject: 'Hello {{firstName}}' }), node('call', 'webhook', call));
  const workflowId = await made(platform.post('/v1/workflows', { name: 'W', trigger: 'event:ordered', graph }), 'workflowId');
  await platform.request('PATCH', `/v1/workflows/${workflowId}`, { status: 'active' });
  const event = { name: 'ordered', email: CLARA, data: { note: 'ordered-words' } };
  await made(platform.post('/v1/events', event, { 'idempotency-key': 'event-1' }), 'eventId');
  const message = {
    to: { email: CLARA, name: 'Clara Wolff' },
    from: 'hello@hello.test',
    subject: 'Hello {{firstName}}',
    headers: { 'X-Who': 'Clara' },
    html: '<p><a href="https://example.com/reset-7QX">Reset</a> {{viewInBrowserUrl}} {{unsubscribeUrl}}</p>',
    attachments: [
      { filename: 'invoice-1887.pdf', content: Buffer.from('For Clara Wolff').toString('base64'), contentType: 'application/pdf' },
    ],
  };
  const first = await platform.post('/v1/send', message, { 'idempotency-key': 'send-1' });
  const sent = first.body.data.results[0].id as string;
  expect((await platform.post('/v1/send', message, { 'idempotency-key': 'send-1' })).body.data).toMatchObject({
    results: [{ id: sent, to: CLARA }],
  });
  await platform.send(CLARA, { subject: 'No contact made', createContact: false });
  const scheduled = await platform.send(CLARA, { html: '<p>reset-7QX</p>', sendAt: new Date(Date.now() + 86_400_000).toISOString() });
  const csv = `email,firstName,locale\n${CLARA},Clara,typed-words-no-locale\nanybody@example.com,Any,en\n`;
  const imported = await fetch(`${platform.url}/v1/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.keys.secret}`, 'content-type': 'text/csv' },
    body: csv,
  });
  const { data: job } = (await imported.json()) as { data: { importId: string } };
  await eventually(
    'the import is over',
    async () => (await platform.get(`/v1/contacts/import/${job.importId}`)).body.data.status === 'completed',
  );
  const inbound = { from: CLARA, fromName: 'Clara Wolff', to: 'help@hello.test', subject: 'typed-words', text: 'typed-words' };
  await made(platform.post('/v1/inbound', inbound), 'emailId');
  const body = '<p>Hello {{firstName}}, <a href="https://example.com/{{data.plan}}">look</a></p>';
  const campaign = { name: 'C', subject: 'For {{firstName}}', body, fromEmail: 'team@hello.test', audience: 'segment', segmentId };
  const campaignId = await made(platform.post('/v1/campaigns', campaign), 'campaignId');
  await platform.post(`/v1/campaigns/${campaignId}/send`, {});
  await eventually('the campaign is sent', async () => (await platform.get(`/v1/campaigns/${campaignId}`)).body.data.status === 'sent');
  await eventually('the automation has called', () => receiver.received.some(({ path }) => path === '/echo'));
  await eventually(
    'it is over',
    async () => (await platform.get(`/v1/workflows/${workflowId}/executions`)).body.data[0]?.status === 'completed',
  );
  await platform.untilStatus(sent, 'delivered');
  await follow(contactId);
  await fetch(urls(sent).unsubscribe, { method: 'POST' });
  // One that the mail server puts off, in words that name her.
  platform.smtp.script = ({ to }) => (to === CLARA ? { rcpt: { reply: `451 4.7.1 <${CLARA}> clara later` } } : {});
  const deferred = await platform.send(CLARA, { subject: 'Good-bye Clara', type: 'transactional' });
  await eventually('it is put off', async () => ((await platform.get(`/v1/emails/${deferred}`)).body.data.attempts as number) > 0);
  return { sent, scheduled, campaignId, deferred };
}

/** Clicks the links of the mail that she got. */
async function follow(contactId: string): Promise<void> {
  expect(contactId).toMatch(/^ctc_/);
  for (const { raw } of platform.arrived(CLARA)) {
    const html = raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
    for (const [url] of html.matchAll(/https?:\/\/[^"\s<>]*\/t\/c\/[^"\s<>]*/g))
      await fetch(platform.url + new URL(url).pathname, {
        redirect: 'manual',
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Clara/1.0' },
      });
  }
}

test('an erasure removes every trace of a deleted contact: in the database, in Temporal and in the logs', async () => {
  const { sent, scheduled, campaignId, deferred } = await leaveTraces();
  const before = {
    campaign: (await platform.get(`/v1/campaigns/${campaignId}`)).body.data,
    stats: (await platform.get('/v1/stats')).body.data.totals,
  };
  expect(before.campaign).toMatchObject({ delivered: 2, clicked: 1 });
  expect((await documentsWith(WORDS)).length).toBeGreaterThan(20);

  expect((await platform.request('DELETE', `/v1/contacts/${CLARA}`)).status).toBe(200);
  await platform.untilStatus(scheduled, 'cancelled');
  await eventually('it waits for what is on its way', async () => (await erasure()).status === 'waiting' && (await erasure()).open > 0);
  await platform.worker.kill9();
  await platform.worker.start();
  // Mail that was accepted before the deletion still goes out.
  platform.smtp.script = {};
  await platform.untilStatus(deferred, 'delivered');
  expect(platform.arrived(CLARA).at(-1)?.headers['subject']).toBe('Good-bye Clara');
  await eventually('the erasure is over', async () => (await erasure()).status === 'completed');

  expect(await documentsWith(WORDS)).toEqual([]);
  expect(await historiesWith(client, WORDS)).toEqual([]);
  for (const { output } of [platform.api, platform.worker]) {
    const lines = output.toLowerCase().split('\n');
    expect(lines.filter((line) => WORDS.some((word) => line.includes(word)))).toEqual([]);
  }

  const handle = client.workflow.getHandle(erasureWorkflowId((await erasure()).erasureId));
  const { searchAttributes, status } = await handle.describe();
  const contactId = await contactIdOf(platform.keys.projectId, CLARA);
  expect([status.name, searchAttributes]).toEqual([
    'COMPLETED',
    expect.objectContaining({ ProjectId: [platform.keys.projectId], ContactId: [contactId] }),
  ]);
  expect(await handle.query<ErasureProgress>(erasureProgressQuery.name)).toMatchObject({ status: 'completed', contacts: 1, open: 0 });

  const { data } = (await platform.get(`/v1/emails/${sent}`)).body;
  const hashed = `erased_${contactId.slice(4)}@erased.invalid`;
  expect(data).toMatchObject({
    to: hashed,
    contactId: null,
    subject: '',
    body: '',
    text: '',
    headers: null,
    attachments: [],
    status: 'clicked',
  });
  expect((await platform.get(`/v1/emails?to=${CLARA}`)).body.data).toEqual([]);
  const view = await fetch(urls(sent).view, { headers: { accept: 'text/html' } });
  expect([view.status, await view.text()]).toEqual([410, expect.stringContaining('no longer available')]);
  // Statistics outlive the rows; mail that went out since counts too.
  expect((await platform.get(`/v1/campaigns/${campaignId}`)).body.data).toEqual(before.campaign);
  const { clicked, opened } = (await platform.get('/v1/stats')).body.data.totals as Record<string, number>;
  expect({ clicked, opened }).toEqual({ clicked: before.stats.clicked, opened: before.stats.opened });
  // She had unsubscribed.
  expect((await platform.get(`/v1/suppressions/check?email=${CLARA}`)).body.data).toMatchObject({
    suppressed: true,
    suppression: { email: hashed, reason: 'unsubscribe' },
  });
});

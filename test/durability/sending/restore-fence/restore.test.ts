import { Client, Connection } from '@temporalio/client';
import { automationRunId } from '../../../../src/contracts/automation';
import { campaignWorkflowId } from '../../../../src/contracts/campaign';
import { domainVerificationId } from '../../../../src/contracts/domain-verification';
import { webhookRetryId } from '../../../../src/contracts/webhook';
import { chain, node } from '../../../support/calls/automations';
import { dump, restore } from '../../../support/data/dump';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { made } from '../../../support/platform/platform-parts';
import { createNamespace, testTemporalAddress } from '../../../support/run/servers';
import { aReceiver } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

jest.setTimeout(300_000);

const PEOPLE = Array.from({ length: 12 }, (_, index) => `person-${index}@example.com`);
const HOUR_MS = 3_600_000;

afterAll(async () => {
  await client?.connection.close();
  await Promise.all((parts ?? []).map((part) => part.stop()));
});
const receiver = aReceiver();
const platform = aPlatform({
  env: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SECONDS: '8,8,8,8' },
});
let client: Client;
let parts: readonly Part[];

beforeAll(async () => {
  parts = [platform.api, platform.worker];
  client = await platform.temporalClient();
});

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const draft = (name: string, more: object = {}): Promise<string> =>
  made(platform.post('/v1/campaigns', { name, subject: name, body: '<p>Hello</p>', fromEmail: 'team@hello.test', ...more }), 'campaignId');
const start = (id: string, options: object = {}): Promise<string> => made(platform.post(`/v1/campaigns/${id}/send`, options), 'status');
const statusOf = async (id: string): Promise<unknown> => (await platform.get(`/v1/campaigns/${id}`)).body.data?.status;
const isSent = (id: string): Promise<boolean> => eventually(`${id} is sent`, async () => (await statusOf(id)) === 'sent');
/** How many messages of a subject the people of the tests got. */
const subjects = (subject: string): number =>
  platform.smtp.messages.filter(({ to, headers }) => headers['subject'] === subject && PEOPLE.includes(to)).length;
const stateOf = async (workflowId: string): Promise<string> => (await client.workflow.getHandle(workflowId).describe()).status.name;

async function automation(name: string, ...nodes: readonly ReturnType<typeof node>[]): Promise<string> {
  const id = await made(platform.post('/v1/workflows', { name, trigger: `event:${name}`, graph: chain(...nodes) }), 'workflowId');
  await platform.request('PATCH', `/v1/workflows/${id}`, { status: 'active' });
  return made(platform.post(`/v1/workflows/${id}/enroll`, { email: PEOPLE[0] }), 'executionId');
}

/** The last run of every sweep of the running ones was long ago. */
async function longAfter(): Promise<void> {
  const past = new Date(Date.now() - 1_000);
  await stored.underWay.changeAll({}, { checkAt: past });
  await stored.executions.changeAll({ checkAt: { $exists: true } }, { checkAt: past });
}

const upload = async (csv: string): Promise<string> => {
  const headers = { authorization: `Bearer ${platform.keys.secret}`, 'content-type': 'text/csv' };
  const response = await fetch(`${platform.url}/v1/contacts/import`, { method: 'POST', headers, body: csv });
  return ((await response.json()) as { data: { importId: string } }).data.importId;
};

describe('Temporal lost, MongoDB kept', () => {
  type Name =
    | 'webhook'
    | 'doomed'
    | 'execution'
    | 'experiment'
    | 'over'
    | 'scheduled'
    | 'sending'
    | 'import'
    | 'email'
    | 'domain'
    | 'stopped';
  const ids = {} as Record<Name, string>;

  beforeAll(async () => {
    for (const email of PEOPLE) await platform.post('/v1/contacts', { email });
    // While a worker is there: what has to come to its wait first.
    receiver.answer = (res) => res.writeHead(503).end();
    ids.webhook = await made(platform.post('/v1/webhooks', { url: `${receiver.url}/later`, events: ['later'] }), 'webhookId');
    ids.doomed = await made(platform.post('/v1/webhooks', { url: `${receiver.url}/doomed`, events: ['later'] }), 'webhookId');
    await platform.post('/v1/events', { name: 'later', email: PEOPLE[1] });
    ids.execution = await automation('waits', node('pause', 'delay', { amount: 1, unit: 'hours' }));
    ids.stopped = await automation('stops', node('pause', 'delay', { amount: 1, unit: 'hours' }));
    ids.experiment = await draft('experiment', { abSubjectB: 'other', abSamplePct: 50 });
    await start(ids.experiment, { abDecideAt: inSeconds(20) });
    ids.over = await draft('over');
    await start(ids.over);
    await isSent(ids.over);
    await eventually('the sample is sent', () => subjects('experiment') + subjects('other') === PEOPLE.length / 2);
    await eventually('it waits', async () => (await stored.executions.one(ids.execution))?.state?.phase === 'sleeping');
    await eventually('it is retried', () => stored.webhooks.one({ _id: ids.webhook, retryCheckAt: { $exists: true } }));
    await eventually('the other one too', () => stored.deliveries.one({ webhookId: ids.doomed }));
    await platform.worker.stop();
    // Started in Temporal by the API, and carried out by no worker.
    ids.scheduled = await draft('scheduled');
    await start(ids.scheduled, { scheduledFor: inSeconds(25) });
    ids.sending = await draft('sending');
    await start(ids.sending);
    ids.import = await upload('email\nimported@example.com\n');
    ids.email = await platform.send('later@example.com', { sendAt: inSeconds(25) });
    ids.domain = await made(platform.post('/v1/domains', { domain: 'lost.example.com' }), 'domainId');
    const { automationId } = (await stored.executions.one(ids.stopped)) ?? {};
    await platform.post(`/v1/workflows/${automationId}/executions/cancel-all`, {});
    await platform.request('DELETE', `/v1/contacts/${PEOPLE[2]}`);
    await platform.request('DELETE', `/v1/campaigns/${ids.over}`);
    await platform.request('DELETE', `/v1/webhooks/${ids.doomed}`);
    await eventually('all was started', async () => (await client.workflow.count(`ProjectId = '${platform.keys.projectId}'`)).count >= 9);
    await platform.api.stop();

    const namespace = `restored_${process.pid}_${Date.now()}`;
    await createNamespace(namespace);
    const env = { ...platform.env, TEMPORAL_NAMESPACE: namespace };
    client = new Client({ connection: await Connection.connect({ address: testTemporalAddress() }), namespace });
    parts = [new Part('api/main.ts', env, 'istening'), new Part('worker/main.ts', env, 'Worker is ready')];
    receiver.answer = (res) => res.end();
    await Promise.all(parts.map((part) => part.start()));
  });

  test('schedules are there again, also when they are lost while workers run', async () => {
    for (const id of ['sweep', 'contact-fields', 'retention', 'segment-sweep', 'segment-counts']) {
      expect((await client.schedule.getHandle(id).describe()).scheduleId).toBe(id);
    }
    for (const id of ['sweep', 'contact-fields', 'retention', 'segment-sweep', 'segment-counts'])
      await client.schedule.getHandle(id).delete();
    await eventually('they are made anew', () => client.schedule.getHandle('segment-counts').describe(), 30_000);
  });

  test('a campaign that was scheduled, and one that was sending', async () => {
    await Promise.all([isSent(ids.sending), isSent(ids.scheduled)]);
    // One of the people was deleted meanwhile; those who came after the start of one are not counted.
    expect([subjects('sending'), subjects('scheduled')]).toEqual([PEOPLE.length - 1, PEOPLE.length - 1]);
  });

  test('an experiment whose sample was sent is decided, and no recipient gets it twice', async () => {
    expect(await isSent(ids.experiment)).toBe(true);
    expect((await platform.get(`/v1/campaigns/${ids.experiment}`)).body.data.abWinner).toMatch(/^[ab]$/);
    const got = (person: string): number =>
      platform.smtp.messages.filter(({ to, headers }) => to === person && /^(experiment|other)$/.test(headers['subject'] ?? '')).length;
    // The one who was deleted meanwhile may have been in the sample.
    const others = PEOPLE.filter((person) => person !== PEOPLE[2]);
    expect(others.map(got)).toEqual(others.map(() => 1));
    expect(got(PEOPLE[2] ?? '')).toBeLessThanOrEqual(1);
  });

  test('an import', async () => {
    const job = await eventually('it is imported', async () => {
      const { body } = await platform.get(`/v1/contacts/import/${ids.import}`);
      return body.data.status === 'completed' ? body.data : null;
    });
    expect(job).toMatchObject({ created: 1 });
  });

  test('an erasure', async () => {
    expect(
      await eventually('it is completed', async () => {
        const { body } = await platform.get(`/v1/contacts/${PEOPLE[2]}/erasure`);
        return body.data.status === 'completed';
      }),
    ).toBeTruthy();
  });

  test('the removal of what deleted campaigns and endpoints leave', async () => {
    const left = { campaignId: ids.over };
    await eventually('recipients are removed', async () => (await stored.recipients.count(left)) === 0);
    expect(
      await eventually('deliveries are removed', async () => (await stored.deliveries.count({ webhookId: ids.doomed })) === 0),
    ).toBeTruthy();
  });

  test('scheduled mail', async () => {
    expect(await platform.untilStatus(ids.email, 'delivered')).toMatchObject({ to: 'later@example.com' });
  });

  test('events, and webhook deliveries that are due or wait for another attempt', async () => {
    await platform.post('/v1/events', { name: 'later', email: PEOPLE[1] });
    await eventually('a new one is delivered', () => stored.deliveries.one({ webhookId: ids.webhook, status: 'succeeded' }));
    await stored.webhooks.change({ _id: ids.webhook, retryCheckAt: { $exists: true } }, { retryCheckAt: new Date(0) });
    const all = { webhookId: ids.webhook };
    expect(
      await eventually('both are delivered', async () => (await stored.deliveries.count({ ...all, status: 'succeeded' })) === 2),
    ).toBeTruthy();
  });

  test('an automation that waits', async () => {
    await longAfter();
    expect(await eventually('its workflow runs', async () => (await stateOf(automationRunId(ids.execution))) === 'RUNNING')).toBeTruthy();
  });

  test('events of executions that were cancelled are still emitted', async () => {
    expect(
      await eventually('its event is emitted', async () => {
        const execution = await stored.executions.one(ids.stopped);
        return execution?.status === 'cancelled' && execution.nudge === undefined;
      }),
    ).toBeTruthy();
  });

  test('a domain that is to be looked at', async () => {
    await stored.domains.change(ids.domain, { nextCheckAt: new Date(Date.now() - HOUR_MS) });
    expect(await eventually('its workflow runs', async () => (await stateOf(domainVerificationId(ids.domain))) === 'RUNNING')).toBeTruthy();
  });

  test('retries end when nothing waits', async () => {
    expect(
      await eventually('no workflow is left', async () => {
        const { count } = await client.workflow.count(`WorkflowId = '${webhookRetryId(ids.webhook)}' AND ExecutionStatus = 'Running'`);
        return count === 0;
      }),
    ).toBeTruthy();
  });
});

describe('MongoDB restored to an earlier instant, Temporal kept', () => {
  test('what is ahead of its documents begins anew, and what has none ends', async () => {
    const [scheduled, again, sleeping] = [await draft('ahead'), await draft('sent again'), await draft('sleeping')];
    await start(scheduled, { scheduledFor: inSeconds(8) });
    const short = node('short', 'delay', { amount: 6, unit: 'seconds' });
    const execution = await automation('walks', short, node('long', 'delay', { amount: 30, unit: 'days' }), node('last', 'exit'));
    await eventually('it waits', async () => (await stored.executions.one(execution))?.state?.phase === 'sleeping');
    const before = await dump();

    const lost = await draft('lost');
    await start(lost, { scheduledFor: inSeconds(45) });
    await start(again);
    await start(sleeping, { scheduledFor: inSeconds(600) });
    await Promise.all([isSent(again), isSent(scheduled)]);
    await eventually('it waits further on', async () => (await stored.executions.one(execution))?.currentNodeId === 'long');
    await eventually('its workflow has ended', async () => (await stateOf(campaignWorkflowId(scheduled))) === 'COMPLETED');
    await eventually('that one too', async () => (await stateOf(campaignWorkflowId(again))) === 'COMPLETED');
    await Promise.all(parts.map((part) => part.kill9()));
    await restore(before);
    await Promise.all(parts.map((part) => part.start()));
    await stored.executions.change(execution, { 'state.until': inSeconds(-120) });
    await longAfter();

    expect([await statusOf(scheduled), await statusOf(again), await statusOf(sleeping)]).not.toContain('cancelled');
    // Finished in Temporal, scheduled in its document.
    expect(await isSent(scheduled)).toBe(true);
    // Finished in Temporal, and then a draft.
    await start(again);
    expect(await isSent(again)).toBe(true);
    // Sleeps in Temporal until an instant that its document knows nothing of.
    await start(sleeping);
    expect(await isSent(sleeping)).toBe(true);
    // Sleeps in Temporal in a wait that its document has not come to.
    await eventually('it goes on', async () => (await stored.executions.one(execution))?.currentNodeId === 'long');
    await eventually('a workflow without a document ends', async () => (await stateOf(campaignWorkflowId(lost))) === 'COMPLETED');
  });
});

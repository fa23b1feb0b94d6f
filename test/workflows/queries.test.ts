import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import { runIntent } from '../../src/marketing/automations/intents';
import { startIntent } from '../../src/marketing/campaigns/send';
import type { Campaign } from '../../src/marketing/campaigns/model';
import { wantedSignal } from '../../src/contracts/campaign';
import type { StartIntent } from '../../src/contracts/processes';
import { verificationIntent } from '../../src/sending/domains/service';
import type { Email } from '../../src/records/emails/model';
import { minutesOf } from '../../src/records/emails/scheduled';
import { createProcesses } from '../../src/platform/temporal/processes';
import { ensureSearchAttributes, searchAttributesOf } from '../../src/platform/temporal/search-attributes';
import { removalIntent } from '../../src/sending/webhooks/service';
import { dueOf } from '../support/checks/due';
import { eventually } from '../support/platform/platform';
import { testTemporalAddress, testWorkflowCode } from '../support/run/servers';
import { aNamespace } from '../support/run/temporal-namespace';

const namespace = `queries_${process.pid}_${Date.now()}`;
const page = readFileSync(path.resolve(__dirname, '../../docs/operating.md'), 'utf8');
const views = [...page.matchAll(/^- (.+): \[`(.+)`\]\((http:\/\/127\.0\.0\.1:8233\/namespaces\/default\/workflows\?.+)\)$/gm)].map(
  ([, what = '', query = '', url = '']) => ({ what, query, url }),
);

/** The ids as the page has them. */
const [PROJECT, CONTACT] = ['prj_…', 'ctc_…'];
/** The page's example is of this instant. */
const NOW = Date.parse('2026-11-24T09:00:00Z');
const [MINUTE, HOUR] = [60_000, 3_600_000];
const at = (ms: number): Date => new Date(NOW + ms);

const execution = (_id: string, automationId: string, due: Date, contactId: string | null = null): StartIntent => {
  const intent = runIntent({ _id, automationId, contactId, projectId: 'prj_other' });
  return { ...intent, attributes: { ...intent.attributes, due: due.toISOString() } };
};
const campaign = (_id: string, projectId: string, scheduledFor: Date | null): StartIntent =>
  startIntent({ _id, projectId, scheduledFor, resendOf: null } as unknown as Campaign);
const message = (_id: string, contactId: string, scheduledFor: Date): Email =>
  ({ _id, contactId, scheduledFor, projectId: PROJECT }) as unknown as Email;
const plain = (workflow: StartIntent['workflow'], workflowId: string, projectId: string): StartIntent =>
  ({ kind: 'start', workflow, workflowId, input: {}, summary: workflow, attributes: { projectId } }) as unknown as StartIntent;

const endpoint = { webhookId: 'whk_…', projectId: PROJECT };

/** One workflow at least for each view. */
const WORLD: readonly StartIntent[] = [
  execution('exe_late', 'wfl_…', at(-HOUR)),
  execution('exe_soon', 'wfl_2', at(30 * MINUTE), CONTACT),
  execution('exe_long', 'wfl_2', at(48 * HOUR)),
  campaign('cmp_…', PROJECT, null),
  campaign('cmp_begun', PROJECT, at(-HOUR)),
  campaign('cmp_ahead', PROJECT, at(3 * HOUR)),
  ...minutesOf([message('em_…', CONTACT, at(2 * HOUR)), message('em_2', 'ctc_2', at(2 * HOUR))]),
  verificationIntent({ _id: 'dom_…', projectId: 'prj_other' }),
  removalIntent({ ...endpoint, projectId: 'prj_other' }),
  { ...plain('webhookRetry', 'webhook-retry/whk_…', PROJECT), attributes: endpoint },
  plain('contactImport', 'import/imp_1', 'prj_other'),
  plain('erasure', 'erasure/era_1', 'prj_other'),
];
const SCHEDULED = 'scheduled-send/prj_…/2026-11-24T11:00Z';

const FOUND: Readonly<Record<string, readonly string[]>> = {
  'everything that runs for a project': ['campaign/cmp_ahead', 'campaign/cmp_begun', 'campaign/cmp_…', SCHEDULED, 'webhook-retry/whk_…'],
  'campaigns of a project that are sending': ['campaign/cmp_begun', 'campaign/cmp_…'],
  'what is due within the next hour': ['automation/exe_soon'],
  'what is overdue by ten minutes': ['automation/exe_late'],
  'everything of a contact': ['automation/exe_soon', SCHEDULED],
  'what failed or was terminated since yesterday': ['automation/exe_terminated'],
  'everything but upkeep': [...WORLD.map(({ workflowId }) => workflowId), 'automation/exe_terminated'],
};

const client = aNamespace(namespace);

beforeAll(async () => {
  await ensureSearchAttributes(client, namespace);
  const processes = createProcesses(client);
  for (const intent of WORLD) await processes.start(intent);
  await processes.start(execution('exe_terminated', 'wfl_…', at(HOUR)));
  await client.workflow.getHandle('automation/exe_terminated').terminate();
  await processes.wakeDelivery(1);
  await eventually('all are listed', async () => (await client.workflow.count()).count === WORLD.length + 2, 30_000);
}, 60_000);

test('the page for operators has a view of each kind', () => expect(views.map(({ what }) => what)).toEqual(Object.keys(FOUND)));

test.each(views)('$what: the view finds what it says, and its URL has the query that is shown', async ({ what, query, url }) => {
  expect(new URL(url).searchParams.get('query')).toBe(query);
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
  expect(ids.sort()).toEqual([...(FOUND[what] ?? [])].sort());
});

test('a campaign that is to begin at another time is found by that, and by its ids as before', async () => {
  const nativeConnection = await NativeConnection.connect({ address: testTemporalAddress() });
  const taskQueue = 'of its own';
  const worker = await Worker.create({ connection: nativeConnection, namespace, taskQueue, workflowBundle: testWorkflowCode() });
  const key = { campaignId: 'cmp_moved', projectId: 'prj_moved' };
  const [first, later] = [3, 4].map((days) => new Date(Date.now() + days * 24 * HOUR).toISOString()) as [string, string];
  await worker.runUntil(async () => {
    const handle = await client.workflow.start('campaignSend', {
      workflowId: 'campaign/cmp_moved',
      taskQueue,
      args: [{ ...key, scheduledFor: first }],
      typedSearchAttributes: searchAttributesOf({ ...key, due: first }),
    });
    await handle.signal(wantedSignal, { ...key, scheduledFor: later });
    await eventually('it waits for the other time', async () => (await dueOf(handle)) === Date.parse(later), 30_000);
    expect((await handle.describe()).searchAttributes).toMatchObject({ ProjectId: [key.projectId], CampaignId: [key.campaignId] });
    await handle.signal(wantedSignal, { ...key, scheduledFor: null });
    await eventually('it begins now', async () => (await dueOf(handle)) === null, 30_000);
    await handle.terminate();
  });
  await nativeConnection.close();
});

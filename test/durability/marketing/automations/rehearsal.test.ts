import fc from 'fast-check';
import { automationProgressQuery, automationRunId } from '../../../../src/contracts/automation';
import type { AutomationProgress } from '../../../../src/contracts/automation';
import type { Execution } from '../../../../src/marketing/automations/execution-model';
import { portsFor } from '../../../../src/marketing/automations/rehearsal';
import { automationWaits } from '../../../../src/marketing/automations/waits';
import { getContact } from '../../../../src/audience/contacts/service';
import type { Context } from '../../../../src/platform/core/context';
import { getProject } from '../../../../src/records/projects/service';
import type { Graph } from '../../../../src/rules/automation/graph';
import { rehearse } from '../../../../src/rules/automation/rehearse';
import type { Rehearsal } from '../../../../src/rules/automation/rehearsal';
import { automationGraphs, scripts } from '../../../support/data/automation-graphs';
import { eventually } from '../../../support/platform/platform';
import { aSkippingPlatform } from '../../../support/platform/skipping';
import { stored } from '../../../support/data/stored';

/** `npm run chaos -- automation` plays more of them, and others each time. */
const ROUNDS = Number(process.env['LETTERMILL_TEST_ROUNDS'] ?? 8);
const SEED = Number(process.env['LETTERMILL_TEST_SEED'] ?? 20_261_121);

jest.setTimeout(240_000 + ROUNDS * 10_000);

/** Instants may differ by what the machine takes. */
const TOLERANCE_MS = 10_000;
/** Clear of what a delivery takes: events of the script are emitted that long before a time-out at the same instant. */
const APART_MS = 60_000;

type Script = readonly {
  readonly name: string;
  readonly data: Record<string, unknown>;
  readonly after: { readonly months: number; readonly milliseconds: number };
}[];

const platform = aSkippingPlatform({}, [automationWaits]);
let ctx: Context;

beforeAll(async () => {
  const project = await getProject(platform.keys.projectId);
  ctx = { core: platform.core, projectId: project._id, project, testMode: false, keyKind: 'secret', requestId: 'req_1' };
});

async function call(method: string, route: string, body?: unknown): Promise<Record<string, unknown>> {
  const { status, data } = await platform.call(method, route, body);
  expect([route, status < 300]).toEqual([route, true]);
  return data;
}

/** Until it sleeps, waits for an event or is over: nothing happens before the clock moves. */
async function untilItStands(executionId: string): Promise<Execution> {
  const workflow = platform.env.client.workflow.getHandle(automationRunId(executionId));
  return eventually(
    'it stands',
    async () => {
      const progress: AutomationProgress = await workflow.query(automationProgressQuery);
      const execution = await stored.executions.get(executionId);
      if (execution.finishedAt) return execution;
      const stands = progress.until !== null && progress.nodeId === execution.currentNodeId && !execution.waitingFor?.eventId;
      return stands ? execution : null;
    },
    30_000,
  );
}

interface Played {
  readonly rehearsal: Rehearsal;
  readonly execution: Execution;
}

/** Plays a graph for real, the script's events emitted as their instants come, then rehearses what was played. */
async function play(graph: Graph, script: Script, round: number): Promise<Played> {
  const created = await call('POST', '/v1/workflows', { name: `Round ${round}`, trigger: 'event:begin', graph });
  const id = created['workflowId'] as string;
  await call('PATCH', `/v1/workflows/${id}`, { status: 'active' });
  const email = `round-${round}@example.com`;
  const { contactId } = (await call('POST', '/v1/contacts', { email, firstName: 'Ada', data: { plan: 'free' } })) as { contactId: string };
  const contact = await getContact(ctx, contactId);
  const { executionId } = (await call('POST', `/v1/workflows/${id}/enroll`, { contactId })) as { executionId: string };
  await untilItStands(executionId);
  const startsAt = await begunAt(executionId);
  for (const { name, data, after } of [...script].sort((a, b) => a.after.milliseconds - b.after.milliseconds)) {
    const now = await platform.env.currentTimeMs();
    await platform.env.sleep(Math.max(0, startsAt.getTime() + after.milliseconds - now));
    await untilItStands(executionId);
    const { eventId } = await call('POST', '/v1/events', { name, contactId, data });
    await eventually('it was handed on', async () => !(await isPending(eventId as string)));
    await untilItStands(executionId);
  }
  for (let execution = await untilItStands(executionId); !execution.finishedAt; execution = await untilItStands(executionId)) {
    const until = execution.waitingFor?.until ?? new Date((execution.state as unknown as { until: string }).until);
    await platform.env.sleep(Math.max(0, until.getTime() - (await platform.env.currentTimeMs())) + 1);
  }
  const rehearsal = await rehearse(graph, await portsFor(ctx, { _id: id, name: `Round ${round}` }, contact), {
    executionId,
    startsAt,
    contact,
    trigger: { name: 'begin', data: {} },
    events: script,
  });
  return { rehearsal, execution: await stored.executions.get(executionId) };
}

/** The workflow's time when it began. */
async function begunAt(executionId: string): Promise<Date> {
  const { events } = await platform.env.client.workflow.getHandle(automationRunId(executionId)).fetchHistory();
  const { seconds, nanos } = events?.find((event) => event.workflowTaskStartedEventAttributes)?.eventTime ?? {};
  return new Date(Number(seconds) * 1_000 + Number(nanos) / 1_000_000);
}

async function isPending(eventId: string): Promise<boolean> {
  return (await stored.events.one({ _id: eventId, fanOut: { $exists: true } })) !== null;
}

const traceOf = (steps: readonly { nodeId: string; status: string; branch: string | null }[]): string[] =>
  steps.map(({ nodeId, status, branch }) => `${nodeId} ${status} ${branch ?? ''}`);

test(`a rehearsal predicts what a real execution does: ${ROUNDS} graphs, step by step, branch by branch, instant by instant`, async () => {
  const seeded = { numRuns: ROUNDS, seed: SEED };
  const graphs = fc.sample(automationGraphs(10), seeded);
  const plots = fc.sample(scripts, seeded).map((script) => script.slice(0, 4).map((one, index) => apart(one, index)));
  let branches = 0;
  for (const [round, graph] of graphs.entries()) {
    const { rehearsal, execution } = await play(graph, plots[round] ?? [], round);
    expect([round, execution.status, execution.exitReason]).toEqual([round, rehearsal.status, rehearsal.reason]);
    expect([round, ...traceOf(execution.steps)]).toEqual([round, ...traceOf(rehearsal.path)]);
    // The first turn is taken by the API, for which no time is skipped.
    const ofWorkflow = execution.steps.filter(({ startedAt }) => startedAt.getTime() !== execution.createdAt.getTime());
    const expected = rehearsal.path.slice(execution.steps.length - ofWorkflow.length);
    const late = ofWorkflow.map(({ startedAt }, index) => startedAt.getTime() - (expected[index]?.at.getTime() ?? 0));
    expect([round, late.filter((ms) => Math.abs(ms) > TOLERANCE_MS)]).toEqual([round, []]);
    branches += execution.steps.filter(({ branch }) => branch !== null).length;
  }
  expect(branches).toBeGreaterThan(ROUNDS / 2);
});

/** No two things at one instant: the real clock would have them in an order of its own. */
function apart<T extends { readonly after: { readonly months: number; readonly milliseconds: number } }>(one: T, index: number): T {
  return { ...one, after: { months: 0, milliseconds: one.after.milliseconds + index * 7 * APART_MS + 31_000 } };
}

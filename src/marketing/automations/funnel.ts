import type { ClientSession } from 'mongoose';
import { atOneInstant } from '../../audience/contacts';
import type { Context } from '../../platform/core';
import { countByNode, MAIL_COUNTERS, mailHours } from '../../records/emails';
import type { EmailCounts } from '../../records/emails';
import { activeOf, readParts, totalsOf } from './counts';
import type { Totals, NodeCounts } from './counts';
import { ExecutionModel } from './execution-model';
import type { Step, ExecutionStatus } from './execution-model';
import { readGraph } from './graphs';
import { readAutomation } from './service';
import { timelineOf, timelineSpan } from '../../records/stats';
import type { Timeline, TimelineQuery } from '../../records/stats';
import { bucketStart } from '../../rules/time-buckets';

interface NodeFunnel extends NodeCounts {
  readonly nodeId: string;
  readonly type: string;
  readonly waiting: number;
  /** Counts for nodes that send. */
  readonly emails: EmailCounts | null;
}

/** Counts of executions that reached each node, and of how they left it. */
export interface Funnel extends Totals {
  readonly automationId: string;
  readonly active: number;
  readonly nodes: readonly NodeFunnel[];
}

const NAMES = ['entered', 'completed', 'skipped', 'failed'] as const;
type Tally = Record<(typeof NAMES)[number] | 'waiting', number>;

/**
 * Reads how executions passed through an automation's nodes, in the order of its graph. Ended executions were counted when they ended; those in flight are
 * counted now, as of the same instant. Throws `not_found`.
 */
export async function readFunnel(ctx: Context, automationId: string): Promise<Funnel> {
  const { projectId } = ctx;
  const automation = await readAutomation(projectId, automationId);
  return atOneInstant(async (session) => {
    const totals = (await totalsOf(projectId, [automationId], session)).get(automationId) as Totals;
    const tallies = await tallyNodes(session, projectId, automationId);
    const emails = await countByNode(projectId, automationId, session);
    const nodes = (readGraph(automation.graph)?.nodes ?? []).map(({ id, type }): NodeFunnel => ({
      nodeId: id,
      type,
      ...(tallies.get(id) ?? blank()),
      emails: type === 'send_email' ? (emails.get(id) ?? emails.none) : null,
    }));
    return { automationId, ...totals, active: activeOf(totals), nodes };
  });
}

const blank = (): Tally => ({ entered: 0, completed: 0, waiting: 0, skipped: 0, failed: 0 });

async function tallyNodes(session: ClientSession, projectId: string, automationId: string): Promise<ReadonlyMap<string, Tally>> {
  const tallies = new Map<string, Tally>();
  const add = (nodeId: string, name: keyof Tally, by: number): void => {
    const tally = tallies.get(nodeId) ?? blank();
    tally[name] += by;
    tallies.set(nodeId, tally);
  };
  for (const { nodes = {} } of await readParts(projectId, [automationId], session)) {
    for (const [nodeId, counts] of Object.entries(nodes)) for (const name of NAMES) add(nodeId, name, counts[name] ?? 0);
  }
  for (const { nodeId, status, count } of await inFlight(session, projectId, automationId)) {
    add(nodeId, 'entered', count);
    if (status !== 'running') add(nodeId, status, count);
  }
  return tallies;
}

const inFlight = (
  session: ClientSession,
  projectId: string,
  automationId: string,
): Promise<{ nodeId: string; status: Step['status']; count: number }[]> =>
  ExecutionModel.collection
    .aggregate<{ nodeId: string; status: Step['status']; count: number }>(
      [
        { $match: { projectId, automationId, status: { $in: ['running', 'waiting'] } } },
        { $project: { 'steps.nodeId': 1, 'steps.status': 1 } },
        { $unwind: '$steps' },
        { $group: { _id: { nodeId: '$steps.nodeId', status: '$steps.status' }, count: { $sum: 1 } } },
        { $project: { _id: 0, nodeId: '$_id.nodeId', status: '$_id.status', count: 1 } },
      ],
      { session },
    )
    .toArray();

/** Ends of an execution; `entered` is its beginning. */
const ENDS = ['completed', 'exited', 'cancelled', 'failed'] as const satisfies readonly ExecutionStatus[];
const COUNTERS = ['entered', ...ENDS, ...MAIL_COUNTERS] as const;

export interface AutomationTimeline extends Timeline<(typeof COUNTERS)[number]> {
  readonly automationId: string;
}

/**
 * Resolves to what happened to the executions of an automation and to its live messages by UTC hour or day: for up to the last 400 buckets, unless the query says otherwise.
 * Throws `not_found`, and 422 for more than 400 buckets, or an end that is not after the beginning.
 */
export async function readAutomationTimeline({ projectId }: Context, id: string, query: TimelineQuery): Promise<AutomationTimeline> {
  const { createdAt } = await readAutomation(projectId, id);
  const timeline = await timelineOf({
    id,
    counters: COUNTERS,
    span: timelineSpan(createdAt, query, new Date(), 'latest'),
    step: query.step,
    rows: (await totalsOf(projectId, [id])).get(id)?.entered ?? 0,
    count: () => Promise.all([executionHours(projectId, id), mailHours(projectId, { workflowId: id })]),
  });
  return { automationId: id, ...timeline };
}

interface Alike {
  readonly _id: { readonly entered: Date; readonly over: Date | null; readonly status: ExecutionStatus };
  readonly count: number;
}

const hourOf = (member: string) => ({ $dateTrunc: { date: `$${member}`, unit: 'hour' } });

/** Counts the beginnings and the ends of executions by hour, in one pass along the index of the automation. */
async function executionHours(projectId: string, automationId: string): Promise<ReadonlyMap<number, Readonly<Record<string, number>>>> {
  const groups = ExecutionModel.collection.aggregate<Alike>(
    [
      { $match: { projectId, automationId } },
      { $group: { _id: { entered: hourOf('createdAt'), over: hourOf('finishedAt'), status: '$status' }, count: { $sum: 1 } } },
    ],
    { hint: { projectId: 1, automationId: 1, createdAt: -1, _id: -1 }, allowDiskUse: true },
  );
  const hours = new Map<number, Record<string, number>>();
  const add = (at: Date, name: string, by: number): void => {
    const hour = bucketStart(at, 'hour').getTime();
    const counts = hours.get(hour) ?? {};
    counts[name] = (counts[name] ?? 0) + by;
    hours.set(hour, counts);
  };
  for await (const { _id, count } of groups) {
    add(_id.entered, 'entered', count);
    if (_id.over) add(_id.over, _id.status, count);
  }
  return hours;
}

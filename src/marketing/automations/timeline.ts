import mongoose from 'mongoose';
import type { Context } from '../../platform/core';
import { MAIL_COUNTERS, mailHours } from '../../records/emails';
import { timelineOf, timelineSpan } from '../../records/stats';
import type { Timeline, TimelineQuery } from '../../records/stats';
import { bucketStart } from '../../rules/time-buckets';
import { totalsOf } from './counts';
import { ExecutionModel } from './execution-model';
import type { ExecutionStatus } from './execution-model';
import { readAutomation } from './service';

/** Ends of an execution; `entered` is its beginning. */
const ENDS = ['completed', 'exited', 'cancelled', 'failed'] as const satisfies readonly ExecutionStatus[];
const COUNTERS = ['entered', ...ENDS, ...MAIL_COUNTERS] as const;

export interface AutomationTimeline extends Timeline<(typeof COUNTERS)[number]> {
  readonly automationId: string;
}

/**
 * Resolves to what happened to the executions of an automation and to its live messages by UTC hour or day: of the last 400 buckets at most, unless the query says otherwise.
 * Throws `not_found`, and 422 for more than 400 buckets, or an end that is not after the beginning.
 */
export async function readAutomationTimeline({ projectId }: Context, id: string, query: TimelineQuery): Promise<AutomationTimeline> {
  const { createdAt } = await readAutomation(projectId, id);
  const timeline = await timelineOf({
    id,
    counters: COUNTERS,
    span: timelineSpan(createdAt, query, new Date(), 'latest'),
    step: query.step,
    rows: await enteredIn(projectId, id),
    count: () => Promise.all([executionHours(projectId, id), mailHours(projectId, { workflowId: id })]),
  });
  return { automationId: id, ...timeline };
}

async function enteredIn(projectId: string, id: string): Promise<number> {
  const session = await mongoose.startSession();
  try {
    return (await totalsOf(projectId, [id], session)).get(id)?.entered ?? 0;
  } finally {
    await session.endSession();
  }
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

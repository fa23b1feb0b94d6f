import type { ClientSession } from 'mongoose';
import { invalidState, notFound } from '../../platform/core';
import type { Context, Core } from '../../platform/core';
import type { ExecutionKey } from '../../contracts/automation';
import { inTransaction } from '../../platform/mongo';
import { startNow, want, wantNow } from '../../platform/outbox';
import type { Graph } from '../../rules/automation/graph';
import { transitionFor } from '../../rules/automation/interpreter';
import type { Input, State, Transition } from '../../rules/automation/machine';
import { EnrolmentGuardModel } from './counts';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { loadGraph } from './graphs';
import { nudgeAllIntent, nudgeOf } from './intents';
import { executionNow } from './now';
import { readAutomation } from './service';
import { CONTACT_DELETED, write } from './transition-writes';
import type { Taken } from './transition-writes';
import { finish } from './transitions';
import type { Document } from 'mongodb';

const OPEN = { status: { $in: ['running', 'waiting'] as Execution['status'][] } };

type Ending = Extract<Input, { kind: 'cancel' | 'failed' }>;
const CANCELLED: Ending = { kind: 'cancel', reason: null };

/** Few enough for a short transaction, which has to be repeated when one of the executions moves on meanwhile. */
const CHUNK = 50;
const AT_ONCE_MS = 10_000;

/** Cancels an execution. Throws `not_found`, and `invalid_state` for one that is over. */
export async function cancelExecution(ctx: Context, automationId: string, executionId: string): Promise<Execution> {
  const filter = { _id: executionId, projectId: ctx.projectId, automationId };
  const before = await ExecutionModel.findOne(filter, { status: 1 }).lean<Execution>();
  if (!before) throw notFound('Execution');
  const [cancelled] = await end(ctx.core, filter, 1, CANCELLED);
  if (!cancelled) throw invalidState('This execution is over');
  return (await ExecutionModel.findOne(filter, { steps: 0 }).lean<Execution>()) as Execution;
}

/** Cancels an execution whose workflow was cancelled; one that is over stays as it ended. */
export const stopExecution = (key: ExecutionKey): Promise<void> => endOpen(key, CANCELLED);

/** Fails an execution that cannot continue after repeated failures. */
export const failExecution = (key: ExecutionKey): Promise<void> => endOpen(key, { kind: 'failed', error: 'This step failed repeatedly' });

/** Ends an execution without a nudge: its workflow asked for it. Tries again when the execution moves on meanwhile. */
async function endOpen(key: ExecutionKey, input: Ending): Promise<void> {
  for (let execution = await executionNow(key); execution?.checkAt; execution = await executionNow(key)) {
    await finish(execution, new Date(), (before) => ended(before, input));
  }
}

/**
 * Cancels all executions in flight, without later enrollments. Resolves to how many. Those that do not end within a moment are counted and left to a
 * workflow, which also nudges the workflows of all of them.
 */
export async function cancelAllExecutions(ctx: Context, automationId: string): Promise<number> {
  await readAutomation(ctx.projectId, automationId);
  const upTo = new Date();
  const intent = nudgeAllIntent(ctx.projectId, automationId, upTo);
  await inTransaction((session) => want(session, [intent]));
  const cancelled = await cancelUpTo(ctx.core, ctx.projectId, automationId, upTo, Date.now() + AT_ONCE_MS);
  const left = await ExecutionModel.countDocuments({ projectId: ctx.projectId, automationId, ...OPEN, createdAt: { $lte: upTo } });
  startNow(ctx.core, [intent]);
  return cancelled + left;
}

/** Cancels executions that were enrolled up to an instant, until none is left or the time is up. Resolves to how many. */
export async function cancelUpTo(core: Core, projectId: string, automationId: string, upTo: Date, deadline: number): Promise<number> {
  const filter = { projectId, automationId, createdAt: { $lte: upTo } };
  let sum = 0;
  for (let limit = CHUNK; Date.now() < deadline;) {
    try {
      const ended = await end(core, filter, limit, CANCELLED, 'later');
      if (ended.length === 0) break;
      sum += ended.length;
    } catch (error) {
      // On a busy automation, one of many always moves on meanwhile; one by one they end.
      if (limit === 1) throw error;
      limit = 1;
    }
  }
  return sum;
}

/** Resolves to whether executions that were enrolled up to an instant are in flight. */
export const areRunning = async (projectId: string, automationId: string, upTo: Date): Promise<boolean> =>
  (await ExecutionModel.exists({ projectId, automationId, ...OPEN, createdAt: { $lte: upTo } })) !== null;

/** Ends the executions of a deleted contact and removes its data here. Keeps the data of a contact that was created again. */
export async function cancelOfContact(core: Core, projectId: string, contactId: string, deletedAt: Date): Promise<void> {
  const filter = { projectId, contactId, createdAt: { $lte: deletedAt } };
  while ((await end(core, filter, CHUNK, { kind: 'cancel', reason: CONTACT_DELETED })).length === CHUNK);
  await ExecutionModel.collection.updateMany(filter, [...OF_NOBODY]);
  await EnrolmentGuardModel.deleteMany({ projectId, contactId, since: { $lt: deletedAt }, running: { $lte: 0 } });
}

/** Does the same for many contacts, few of which have executions left: those that were being enrolled when they were deleted. */
export async function cancelOfContacts(core: Core, projectId: string, contactIds: readonly string[], deletedAt: Date): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: deletedAt }, ...OPEN };
  for (const contactId of await ExecutionModel.distinct('contactId', filter)) {
    if (contactId !== null) await cancelOfContact(core, projectId, contactId, deletedAt);
  }
}

/** Ends executions. Resolves to their ids. Nudges their workflows at once, or marks them for a later page of nudges. */
function end(
  core: Core,
  filter: Readonly<Record<string, unknown>>,
  limit: number,
  input: Ending,
  nudged: 'now' | 'later' = 'now',
): Promise<readonly string[]> {
  return inTransaction(async (session) => {
    const found = await ExecutionModel.find({ ...filter, ...OPEN }, null, { session })
      .limit(limit)
      .lean<Execution[]>();
    if (found.length === 0) return [];
    const taken: Taken[] = [];
    const at = new Date();
    for (const before of found) taken.push({ before, transition: await ended(before, input), at });
    await write(session, taken);
    const ids = found.map(({ _id }) => _id);
    if (nudged === 'later') await markForNudge(session, found);
    const nudges = nudged === 'now' ? ids.map((id) => nudgeOf(id, 'over')) : [];
    await wantNow(session, core, nudges);
    return ids;
  });
}

const markForNudge = (session: ClientSession, found: readonly Execution[]) =>
  ExecutionModel.collection.updateMany(
    { _id: { $in: found.map(({ _id }) => _id) }, projectId: { $in: [...new Set(found.map(({ projectId }) => projectId))] } },
    { $set: { nudge: true } },
    { session },
  );

/** Computes the last transition. An execution that has not begun has no step to close; a held one has closed it. */
async function ended(execution: Execution, input: Ending): Promise<Transition> {
  const graph = await loadGraph(execution.projectId, execution.graphId);
  const state = execution.state ?? atTrigger(graph, execution._id);
  const transition = transitionFor(graph, state, input);
  const isClosed = execution.state === null || execution.pending !== null;
  return isClosed ? { ...transition, records: [] } : transition;
}

const atTrigger = ({ nodes }: Graph, executionId: string): State => ({
  phase: 'asking',
  executionId,
  nodeId: nodes.find(({ type }) => type === 'trigger')?.id ?? '',
});

/** Members of a step's output without personal data: ids of rows and reasons of the platform. */
const KEPT = ['emailId', 'eventId', 'segmentId', 'skipped', 'detail', 'status', 'until', 'items'];

/** Keeps only that there was an error, without its text. */
const wordless = (member: string) => ({ $cond: [{ $eq: [{ $type: member }, 'string'] }, '', null] });

/** Removes the data of a deleted contact from an execution and its steps. The path that it took stays. */
const OF_NOBODY: readonly Document[] = [
  {
    $set: {
      contactId: null,
      email: null,
      data: '{}',
      pending: null,
      gathering: '$$REMOVE',
      items: {
        $cond: [
          { $isArray: '$items' },
          { $map: { input: '$items', as: 'item', in: { eventId: '$$item.eventId', name: '$$item.name', at: '$$item.at', data: '{}' } } },
          '$$REMOVE',
        ],
      },
      error: wordless('$error'),
      state: {
        $cond: [
          { $eq: ['$state.phase', 'over'] },
          { $mergeObjects: ['$state', { finish: { $mergeObjects: ['$state.finish', { error: wordless('$state.finish.error') }] } }] },
          '$state',
        ],
      },
      steps: {
        $map: {
          input: '$steps',
          as: 'step',
          in: {
            $mergeObjects: [
              '$$step',
              {
                error: wordless('$$step.error'),
                output: {
                  $cond: [
                    { $eq: [{ $type: '$$step.output' }, 'object'] },
                    {
                      $arrayToObject: {
                        $filter: { input: { $objectToArray: '$$step.output' }, as: 'member', cond: { $in: ['$$member.k', KEPT] } },
                      },
                    },
                    null,
                  ],
                },
              },
            ],
          },
        },
      },
    },
  },
];

/**
 * Detaches ended executions from deleted contacts, enrolled up to `before`. Running ones are ended and detached when the `contact.deleted` event is handled.
 * Resolves to how many it was.
 */
export async function detachExecutions(projectId: string, contactIds: readonly string[], before: Date): Promise<number> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before }, checkAt: { $exists: false } };
  return (await ExecutionModel.collection.updateMany(filter, [...OF_NOBODY])).modifiedCount;
}

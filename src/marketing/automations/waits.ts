import { perDatabase } from '../../platform/mongo';
import { Batcher, batched } from '../../platform/batch';
import type { Core } from '../../platform/core';
import type { Event } from '../../records/events';
import type { Consumer } from '../../records/fan-out';
import { withPlace } from './calls';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { loadGraph, nodeOfType } from './graphs';
import { CHECK_AFTER_MS, goOnOf } from './intents';
import { localStretches } from './local-stretches';
import { findContact } from '../../audience/contacts';
import { eventMatches, awaitedBy } from '../../rules/automation/match-event';
import { holdsPlaceholder } from '../../rules/automation/placeholders';
import type { WaitConfig } from '../../rules/automation/nodes/wait-for-event';
import { scopeOf } from './act';
import { happenedIn, filled } from './texts';
import { automationNow, executionNow } from './now';
import { sentIn } from './send-node';

type Waiting = Pick<Execution, '_id' | (typeof NEEDED)[number]>;

/** Maximum number of branches of one query; each uses the index. */
const EVENTS_IN_QUERY = 50;

/** Finds the executions that may wait for each event: it came after they began to wait, and in time. */
const findWaiting = perDatabase(() =>
  batched(async (events: readonly Event[]): Promise<ReadonlyMap<Event, Waiting[]>> => {
    const found: Waiting[] = [];
    for (let from = 0; from < events.length; from += EVENTS_IN_QUERY) {
      const $or = events.slice(from, from + EVENTS_IN_QUERY).map(waitsFor);
      found.push(...(await ExecutionModel.collection.find<Waiting>({ $or }, { projection: PROJECTION }).toArray()));
    }
    return new Map(events.map((event) => [event, found.filter((execution) => isFor(event, execution))]));
  }),
);

const NEEDED = ['projectId', 'automationId', 'contactId', 'testMode', 'graphId', 'createdAt', 'turn', 'waitingFor'] as const;
const PROJECTION = Object.fromEntries(NEEDED.map((name) => [name, 1 as const]));

const waitsFor = ({ projectId, contactId, name, receivedAt, testMode }: Event) => ({
  projectId,
  contactId,
  'waitingFor.event': name,
  'waitingFor.since': { $lt: receivedAt },
  'waitingFor.until': { $gte: receivedAt },
  ...(testMode && { testMode: true }),
});

function isFor({ _id, projectId, contactId, name, receivedAt, testMode }: Event, { waitingFor, ...execution }: Waiting): boolean {
  if (execution.projectId !== projectId || execution.contactId !== contactId || (testMode && !execution.testMode)) return false;
  if (waitingFor?.event !== name || (waitingFor.eventId !== null && waitingFor.eventId !== _id)) return false;
  return waitingFor.since < receivedAt && waitingFor.until >= receivedAt;
}

async function handle(core: Core, event: Event): Promise<void> {
  if (event.contactId === null) return;
  for (const execution of (await findWaiting()(event)) ?? []) await deliver(core, event, execution);
}

/**
 * Ends a wait by the first event that fits: notes it in the wait, then nudges the execution's workflow. Killed before the nudge, the event comes again; after
 * a needless nudge, as when another event was first, the workflow finds that nothing changed.
 */
async function deliver(core: Core, event: Event, execution: Waiting): Promise<void> {
  const { _id, graphId, createdAt, turn, waitingFor } = execution;
  if (!waitingFor) return;
  const { projectId } = event;
  const { config } = nodeOfType(await loadGraph(projectId, graphId), waitingFor.nodeId, 'wait_for_event');
  if (!(await firstThatEnds(core, { _id, projectId, createdAt }, config, [event]))) return;
  const filter = { _id: _id as never, projectId, turn, 'waitingFor.eventId': { $in: [null, event._id] } };
  // Where the workflow is lost the sweep starts it, and not only when the wait would have been over.
  const update = { $set: { 'waitingFor.eventId': event._id }, $min: { checkAt: new Date(Date.now() + CHECK_AFTER_MS) } };
  await note().add({ updateOne: { filter, update } });
  const nudge = (): Promise<void> => withPlace(core, projectId, () => core.processes.signal(goOnOf(execution, event._id)));
  await localStretches(core).expect({ executionId: _id, projectId }, nudge);
}

const note = perDatabase(
  () =>
    new Batcher((writes: Parameters<typeof ExecutionModel.collection.bulkWrite>[0]) =>
      ExecutionModel.collection.bulkWrite([...writes], { ordered: false }),
    ),
);

/** Hands events to the executions that wait for them. */
export const automationWaits: Consumer = { name: 'automation waits', handle };

type Filter = WaitConfig['filter'];
type Key = Pick<Execution, '_id' | 'projectId' | 'createdAt'>;

/** Resolves to the first of some events that ends a wait, checked by the contact as it is now; null when none does, or the execution or its contact is gone. */
export async function firstThatEnds<E extends Pick<Event, 'data' | 'emailId'>>(
  core: Core,
  execution: Key,
  config: WaitConfig,
  events: readonly E[],
): Promise<E | null> {
  const { nodeId, filter } = awaitedBy(config);
  const emailId = nodeId === null ? null : sentIn(execution)(nodeId);
  const possible = emailId === null ? events : events.filter((event) => event.emailId === emailId);
  if (possible.length === 0) return null;
  const wanted = await filledFilter(core, execution, filter);
  return wanted === null ? null : (possible.find(({ data }) => eventMatches(wanted, data)) ?? null);
}

/** Replaces the placeholders of a filter; null when the execution or its contact is gone. */
async function filledFilter(core: Core, { _id, projectId }: Key, filter: Filter): Promise<Filter | null> {
  if (!holdsPlaceholder(filter)) return filter;
  const execution = await executionNow({ executionId: _id, projectId });
  if (!execution?.contactId) return null;
  const { automationId, contactId } = execution;
  const [automation, contact] = await Promise.all([automationNow(projectId, automationId), findContact(projectId, contactId)]);
  if (!automation || !contact) return null;
  return filled(filter, scopeOf({ core, automation, contact, ...happenedIn(execution) })) as Filter;
}

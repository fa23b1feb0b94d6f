import type { Core } from '../context';
import type { Event } from '../events/model';
import type { Consumer } from '../fan-out/consumers';
import { eventMatches } from '../rules/automation/match-event';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { loadGraph, nodeOfType } from './graphs';
import { nudgeOf } from './intents';

type Waiting = Pick<Execution, '_id' | 'graphId' | 'turn' | 'waitingFor'>;

/** Executions that an event of this contact may be what they wait for: it came after they began to wait, and in time. */
const findWaiting = ({ projectId, contactId, name, receivedAt, testMode }: Event): Promise<Waiting[]> =>
  ExecutionModel.find(
    {
      projectId,
      contactId,
      'waitingFor.event': name,
      'waitingFor.since': { $lt: receivedAt },
      'waitingFor.until': { $gte: receivedAt },
      ...(testMode && { testMode: true }),
    },
    { graphId: 1, turn: 1, waitingFor: 1 },
  ).lean<Waiting[]>();

async function handle(core: Core, event: Event): Promise<void> {
  if (event.contactId === null) return;
  for (const execution of await findWaiting(event)) await deliver(core, event, execution);
}

/**
 * The first event that fits ends the wait: it is noted there, then the execution's workflow is told. Noted and not told, it comes again; told again, the
 * workflow finds that the wait is over.
 */
async function deliver(core: Core, event: Event, { _id, graphId, turn, waitingFor }: Waiting): Promise<void> {
  if (!waitingFor) return;
  const graph = await loadGraph(event.projectId, graphId);
  if (!eventMatches(nodeOfType(graph, waitingFor.nodeId, 'wait_for_event').config.filter, event.data)) return;
  const filter = { _id: _id as never, projectId: event.projectId, turn, 'waitingFor.eventId': { $in: [null, event._id] } };
  const { matchedCount } = await ExecutionModel.collection.updateOne(filter, { $set: { 'waitingFor.eventId': event._id } });
  if (matchedCount === 1) await core.processes.signal(nudgeOf(_id, event._id));
}

/** Hands events to the executions that wait for them. */
export const automationWaits: Consumer = { name: 'automation waits', handle };

import type { ClientSession } from 'mongoose';
import type { Event } from '../events/model';
import type { Graph } from '../rules/automation/graph';
import { references } from '../rules/automation/references';
import { ExecutionModel } from './execution-model';
import type { ExecutionStatus } from './execution-model';
import { readGraph } from './graphs';
import type { Automation } from './model';

/** The trigger that an event is, or null for one that starts no automation. Of opens and clicks of a message only the first does. */
export function triggersOfEvent({ name, data }: Pick<Event, 'name' | 'data'>): readonly string[] {
  if ((name === 'email.opened' || name === 'email.clicked') && data?.['first'] !== true) return [];
  const own = `event:${name}`;
  if (name === 'contact.created') return [own, name];
  const segmentId = data?.['segmentId'];
  if (name === 'segment.entered' && typeof segmentId === 'string') return [own, `segment:enter:${segmentId}`];
  if (name === 'segment.exited' && typeof segmentId === 'string') return [own, `segment:exit:${segmentId}`];
  return [own];
}

/** The name of the events that a trigger is about. */
export function nameOfTrigger(trigger: string): string {
  if (trigger.startsWith('event:')) return trigger.slice('event:'.length);
  if (trigger.startsWith('segment:')) return trigger.startsWith('segment:enter:') ? 'segment.entered' : 'segment.exited';
  return trigger;
}

/** The names of events that an automation has to hear. */
export const heardNames = (trigger: string, waits: readonly string[]): readonly string[] => [
  nameOfTrigger(trigger),
  ...waits,
  'contact.deleted',
];

/**
 * What executions may wait for once an automation has this graph. Those that run keep their graphs, so what these wait for is heard until none runs;
 * that of the graph before in any case, for enrolments that are being committed.
 */
export async function waitsOf(session: ClientSession, current: Automation, graph: Graph): Promise<readonly string[]> {
  const { projectId, _id: automationId } = current;
  const filter = { projectId, automationId, status: { $in: ['running', 'waiting'] as ExecutionStatus[] } };
  const running = (await ExecutionModel.exists(filter).session(session)) !== null;
  const before = readGraph(current.graph);
  const earlier = running ? current.waits : before && current.status !== 'draft' ? references(before).listensTo : [];
  return [...new Set([...references(graph).listensTo, ...earlier])];
}

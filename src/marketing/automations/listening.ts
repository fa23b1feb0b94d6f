import type { ClientSession } from 'mongoose';
import type { Event } from '../../records/events';
import type { Graph } from '../../rules/automation/graph';
import { references } from '../../rules/automation/references';
import { ExecutionModel } from './execution-model';
import type { ExecutionStatus } from './execution-model';
import { readGraph } from './graphs';
import type { Automation } from './model';

const IN_SEGMENT: Readonly<Record<string, string>> = { 'segment.entered': 'segment:enter', 'segment.exited': 'segment:exit' };
const ONLY_FIRST: ReadonlySet<string> = new Set(['email.opened', 'email.clicked']);

/** Lists the triggers that an event matches. Only the first open or click of a message matches any. */
export function triggersOfEvent({ name, data }: Pick<Event, 'name' | 'data'>): readonly string[] {
  if (ONLY_FIRST.has(name) && data?.['first'] !== true) return [];
  const [listener, segmentId] = [IN_SEGMENT[name], data?.['segmentId']];
  return [
    `event:${name}`,
    ...(name === 'contact.created' ? [name] : []),
    ...(listener !== undefined && typeof segmentId === 'string' ? [`${listener}:${segmentId}`] : []),
  ];
}

/** Lists the events that an automation listens to. */
export const heardNames = (trigger: string, waits: readonly string[]): readonly string[] => [
  nameOfTrigger(trigger),
  ...waits,
  'contact.deleted',
];

/**
 * Lists the events that executions may wait for once an automation has this graph. Running executions keep their graphs, so the automation listens to their
 * events until none runs; and to the previous graph's in any case, for enrollments that are being committed.
 */
export async function waitsOf(session: ClientSession, current: Automation, graph: Graph): Promise<readonly string[]> {
  const { projectId, _id: automationId } = current;
  const filter = { projectId, automationId, status: { $in: ['running', 'waiting'] as ExecutionStatus[] } };
  const running = (await ExecutionModel.exists(filter).session(session)) !== null;
  const before = readGraph(current.graph);
  const earlier = running ? current.waits : before && current.status !== 'draft' ? references(before).listensTo : [];
  return [...new Set([...references(graph).listensTo, ...earlier])];
}

/** Returns the name of the events that a trigger matches. */
export function nameOfTrigger(trigger: string): string {
  if (trigger.startsWith('event:')) return trigger.slice('event:'.length);
  if (trigger.startsWith('segment:')) return trigger.startsWith('segment:enter:') ? 'segment.entered' : 'segment.exited';
  return trigger;
}

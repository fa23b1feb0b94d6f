import type { ClientSession } from 'mongoose';
import { domainOf } from '../../platform/addresses';
import type { Graph } from '../../rules/automation/graph';
import { references } from '../../rules/automation/references';
import { EMPTY_GRAPH } from './graphs';
import { nameOfTrigger } from './names';
import { AutomationModel } from './model';
import type { Automation, Uses } from './model';

type Named = Pick<Automation, '_id' | 'name'>;

/** Returns the segment that a trigger names, or null. */
export const segmentOfTrigger = (trigger: string): string | null => /^segment:(?:enter|exit):(.+)$/.exec(trigger)?.[1] ?? null;

/** Lists what a graph refers to, stored with it so that other rooms can find the users of a resource. */
export function usesOf(trigger: string, graph: Graph | null): Uses {
  const { templateIds, segmentIds, fromEmails, listensTo, asksAbout } = references(graph ?? EMPTY_GRAPH);
  const distinct = (values: readonly string[]): string[] => [...new Set(values)];
  return {
    templates: distinct(templateIds.map(({ id }) => id)),
    segments: distinct([...segmentIds.map(({ id }) => id), ...[segmentOfTrigger(trigger) ?? []].flat()]),
    domains: distinct(fromEmails.map(({ email }) => domainOf(email))),
    events: distinct([nameOfTrigger(trigger), ...listensTo, ...asksAbout]),
  };
}

const find = (filter: Readonly<Record<string, unknown>>, session?: ClientSession): Promise<Named[]> =>
  AutomationModel.find(filter, { name: 1 })
    .session(session ?? null)
    .sort({ createdAt: -1, _id: -1 })
    .lean<Named[]>();

/** Finds active automations that send one of the templates, newest first. */
export const automationsSending = (projectId: string, templateIds: readonly string[], session?: ClientSession): Promise<Named[]> =>
  find({ projectId, 'uses.templates': { $in: [...templateIds] }, status: 'active' }, session);

/** Finds automations in any state that a segment triggers, or whose conditions or nodes name it, newest first. */
export const automationsWithSegment = (projectId: string, segmentId: string, session?: ClientSession): Promise<Named[]> =>
  find({ projectId, 'uses.segments': segmentId }, session);

/** Finds automations in any state that an event starts, that wait for it or whose conditions name it, newest first. */
export const automationsWithEvent = (projectId: string, name: string): Promise<Named[]> =>
  find({ projectId, $or: [{ trigger: `event:${name}` }, { 'uses.events': name }] });

import type { ClientSession } from 'mongoose';
import { TemplateSyntaxError, compileContent } from '../../message/template';
import { domainOf } from '../../platform/addresses';
import type { Context } from '../../platform/core';
import { containing, findNamed } from '../../platform/mongo';
import { fieldsAsked, fieldsChanged } from '../../rules/automation/filters';
import type { Graph } from '../../rules/automation/graph';
import { references } from '../../rules/automation/references';
import { texts } from '../../rules/automation/texts';
import { templateSenders } from '../../sending/templates';
import { EMPTY_GRAPH, readGraph } from './graphs';
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

/** Finds the name of an active automation that sends from a domain, by its graph or by a template; null when there is none. */
export async function automationSendingFrom(session: ClientSession, projectId: string, domain: string): Promise<string | null> {
  const named = { projectId, 'uses.domains': domain, status: 'active' } as const;
  const first = await AutomationModel.findOne(named, { name: 1 }, { session }).lean<Pick<Automation, 'name'>>();
  return first?.name ?? byTemplate(session, projectId, domain);
}

async function byTemplate(session: ClientSession, projectId: string, domain: string): Promise<string | null> {
  const sending = { projectId, 'uses.templates': { $gt: '' }, status: 'active' } as const;
  const rows = await AutomationModel.find(sending, { name: 1, 'uses.templates': 1 }, { session }).lean<
    Pick<Automation, 'name' | 'uses'>[]
  >();
  const senders = await templateSenders(session, projectId, [...new Set(rows.flatMap(({ uses }) => uses.templates))]);
  const isFrom = (id: string): boolean => domainOf(senders.get(id) ?? '') === domain;
  return rows.find(({ uses }) => uses.templates.some(isFrom))?.name ?? null;
}

/** Finds automations whose graph reads or changes a custom field of contacts, newest first; drafts too. */
export const automationsReading = ({ projectId }: Context, field: string): Promise<readonly Named[]> =>
  findNamed(AutomationModel, {
    filter: { projectId, graph: containing(field) },
    members: ['graph'],
    isWanted: ({ graph }) => mentions(readGraph(graph), field),
  });

function mentions(graph: Graph | null, field: string): boolean {
  if (!graph) return false;
  const asks = fieldsAsked(graph, '').some(({ field: asked }) => asked === `data.${field}` || asked.startsWith(`data.${field}.`));
  return asks || fieldsChanged(graph).includes(field) || texts(graph).some(({ text }) => reads(text, field));
}

/** Whether a text reads a field. A text that cannot be parsed, as a draft may hold, reads none. */
function reads(text: string, field: string): boolean {
  if (!text.includes(field)) return false;
  try {
    const { placeholders, dataKeys } = compileContent({ subject: '', html: null, text });
    return placeholders.includes('data') && (dataKeys?.has(field) ?? true);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return false;
    throw error;
  }
}

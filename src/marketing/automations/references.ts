import type { ClientSession } from 'mongoose';
import { TemplateSyntaxError, compileContent } from '../../message/template';
import { domainOf } from '../../platform/addresses';
import type { Context } from '../../platform/core';
import { containing, findNamed } from '../../platform/mongo';
import { fieldsAsked, fieldsChanged, references } from '../../rules/automation/references';
import type { Graph } from '../../rules/automation/graph';
import { texts } from '../../rules/automation/texts';
import { templateSenders } from '../../sending/templates';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { EMPTY_GRAPH, readGraph, usesOfGraph } from './graphs';
import { nameOfTrigger } from './listening';
import { AutomationModel, PinnedGraphModel } from './model';
import type { Automation, Uses } from './model';
import { findShowing } from '../../sending/files';
import type { FileSearch, FileUse } from '../../sending/files';

type Named = Pick<Automation, '_id' | 'name'>;

/** Returns the segment that a trigger names, or null. */
export const segmentOfTrigger = (trigger: string): string | null => /^segment:(?:enter|exit):(.+)$/.exec(trigger)?.[1] ?? null;

/** Lists what an automation refers to: by its graph, and by its trigger. */
export function usesOf(trigger: string, graph: Graph | null): Uses {
  const uses = usesOfGraph(graph ?? EMPTY_GRAPH);
  const { listensTo, asksAbout } = references(graph ?? EMPTY_GRAPH);
  return {
    ...uses,
    segments: [...new Set([...uses.segments, ...[segmentOfTrigger(trigger) ?? []].flat()])],
    events: [...new Set([nameOfTrigger(trigger), ...listensTo, ...asksAbout])],
  };
}

type Filter = Readonly<Record<string, unknown>>;

const ACTIVE: Filter = { status: 'active' };

/** Finds the name of an automation that sends a template and is active, or has executions under way; null when there is none. */
export const automationSending = (session: ClientSession, projectId: string, templateId: string): Promise<string | null> =>
  userOf(session, projectId, { 'uses.templates': templateId }, ACTIVE);

/** Finds the name of an automation in any state that a segment triggers, or whose conditions or nodes name it; null when there is none. */
export const automationWithSegment = (session: ClientSession, projectId: string, segmentId: string): Promise<string | null> =>
  userOf(session, projectId, { 'uses.segments': segmentId }, {});

/** Finds the name of an automation in any state whose nodes or conditions name a topic; null when there is none. */
export const automationWithTopic = (
  session: ClientSession,
  projectId: string,
  { _id, key }: { readonly _id: string; readonly key: string },
): Promise<string | null> => userOf(session, projectId, { 'uses.topics': { $in: [_id, key] } }, {});

/**
 * Finds the name of an automation that sends from a domain, by its graph or by a template, and is active or has executions under way; null when there
 * is none.
 */
export async function automationSendingFrom(session: ClientSession, projectId: string, domain: string): Promise<string | null> {
  const named = await userOf(session, projectId, { 'uses.domains': domain }, ACTIVE);
  if (named !== null) return named;
  const templateIds = await PinnedGraphModel.distinct('uses.templates', { projectId }, { session });
  const senders = await templateSenders(session, projectId, templateIds);
  const sending = templateIds.filter((id) => domainOf(senders.get(id) ?? '') === domain);
  return sending.length > 0 ? userOf(session, projectId, { 'uses.templates': { $in: sending } }, ACTIVE) : null;
}

/** Finds an automation in a state whose graph uses something, or one with executions under way in a graph that does, also if it has been edited since. */
async function userOf(session: ClientSession, projectId: string, use: Filter, state: Filter): Promise<string | null> {
  const named = await AutomationModel.findOne({ projectId, ...use, ...state }, { name: 1 }, { session }).lean<Named>();
  if (named) return named.name;
  const graphs = await PinnedGraphModel.find({ projectId, ...use }, { _id: 1 }, { session }).lean<{ readonly _id: string }[]>();
  const graphId = { $in: graphs.map(({ _id }) => _id) };
  const filter = { projectId, graphId, checkAt: { $exists: true } };
  const execution = await ExecutionModel.findOne(filter, { automationId: 1 }, { session }).lean<Execution>();
  const key = { _id: execution?.automationId ?? '', projectId };
  return (await AutomationModel.findOne(key, { name: 1 }, { session }).lean<Named>())?.name ?? null;
}

/** Finds automations in any state that an event starts, that wait for it or whose conditions name it, newest first. */
export const automationsWithEvent = (projectId: string, name: string): Promise<Named[]> =>
  AutomationModel.find({ projectId, $or: [{ trigger: `event:${name}` }, { 'uses.events': name }] }, { name: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .lean<Named[]>();

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

/** Returns whether a text reads a field. A text that cannot be parsed, as a draft may hold, reads none. */
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

/** Lists automations whose draft or published graph shows a picture, newest first. */
export async function automationsShowing(search: FileSearch): Promise<FileUse[]> {
  const { projectId, fileId, mostMs } = search;
  const graph = { $regex: fileId };
  const graphIds = await PinnedGraphModel.distinct('_id', { projectId, graph }).maxTimeMS(mostMs);
  return findShowing(AutomationModel.collection, 'workflow', search, { projectId, $or: [{ graph }, { graphId: { $in: graphIds } }] });
}

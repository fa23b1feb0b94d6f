import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { parseConditions } from '../../rules/conditions/parse';
import type { RawFilter } from '../../rules/conditions/parse-values';
import type { ConditionFault, Tree } from '../../rules/conditions/types';
import { listTopics } from '../topics';
import { SegmentModel } from './model';
import type { Segment } from './model';
import { knownCampaigns } from './usage';

/** A tree of the shape that the API's schema checks. */
interface RawTree {
  readonly groups: readonly { readonly filters: readonly RawFilter[]; readonly conditions?: RawTree | undefined }[];
}

interface IdAtPath {
  readonly id: string;
  readonly path: string;
}

/** Returns every filter of a tree with its path. */
const filtersIn = (tree: RawTree, at: string): readonly (RawFilter & { readonly path: string })[] =>
  tree.groups.flatMap(({ filters, conditions }, group) => [
    ...filters.map((filter, index) => ({ ...filter, path: `${at}.groups.${group}.filters.${index}` })),
    ...(conditions ? filtersIn(conditions, `${at}.groups.${group}.conditions`) : []),
  ]);

const SEGMENT = 'segment.';

/**
 * Resolves to the meaning of conditions, or every fault at its filter: a missing object that they refer to is `not_found`. `at` is their
 * path in the body.
 */
export async function resolveConditions(
  session: ClientSession | null,
  projectId: string,
  raw: unknown,
  { at, segmentId = null }: { readonly at: string; readonly segmentId?: string | null },
): Promise<{ readonly ok: Tree } | { readonly faults: readonly ErrorDetail[] }> {
  const parsed = parseConditions(raw, { basePath: at });
  const places = filtersIn(raw as RawTree, at);
  const ownFaults = 'ok' in parsed ? [] : parsed.faults;
  const blamed = new Set(ownFaults.map(({ path }) => path));
  const references = [
    ...(await segmentFaults(session, projectId, segmentPlaces(places), segmentId)),
    ...(await campaignFaults(session, projectId, campaignPlaces(places))),
    ...(await topicFaults(session, projectId, topicPlaces(places))),
  ];
  const faults = [...ownFaults, ...references.filter(({ path }) => !blamed.has(path))];
  return 'ok' in parsed && faults.length === 0 ? parsed : { faults };
}

/** Returns the faults of conditions, without looking up the objects that they refer to. */
export function conditionFaults(raw: unknown, basePath: string): readonly ConditionFault[] {
  const parsed = parseConditions(raw, { basePath });
  return 'faults' in parsed ? parsed.faults : [];
}

/**
 * Resolves to what conditions of a segment or a preview mean. `segmentId` names the segment that is to have them: it may not ask about itself, directly or through
 * others. Throws 422 `invalid_condition`, `not_found` with every fault.
 */
export async function checkConditions(
  session: ClientSession | null,
  projectId: string,
  raw: unknown,
  segmentId: string | null = null,
): Promise<Tree> {
  const judged = await resolveConditions(session, projectId, raw, { at: 'conditions', segmentId });
  if ('ok' in judged) return judged.ok;
  throw new AppError('validation_error', judged.faults[0]?.message ?? 'The conditions are not valid', judged.faults);
}

/** Resolves to the filters that ask about segments or topics which are not there, of conditions that were judged before. */
export async function missingReferences(
  session: ClientSession,
  projectId: string,
  raw: unknown,
  at: string,
): Promise<readonly ErrorDetail[]> {
  const places = filtersIn(raw as RawTree, at);
  return [
    ...(await segmentFaults(session, projectId, segmentPlaces(places), null)),
    ...(await topicFaults(session, projectId, topicPlaces(places))),
  ];
}

const segmentPlaces = (places: readonly (RawFilter & { readonly path: string })[]): readonly IdAtPath[] =>
  places.flatMap(({ field, path }) => (field.startsWith(SEGMENT) ? [{ id: field.slice(SEGMENT.length), path: `${path}.field` }] : []));

const TOPIC = 'topic.';

const topicPlaces = (places: readonly (RawFilter & { readonly path: string })[]): readonly IdAtPath[] =>
  places.flatMap(({ field, path }) => (field.startsWith(TOPIC) ? [{ id: field.slice(TOPIC.length), path: `${path}.field` }] : []));

const campaignPlaces = (places: readonly (RawFilter & { readonly path: string })[]): readonly IdAtPath[] =>
  places.flatMap(({ campaignId, path }) => (typeof campaignId === 'string' ? [{ id: campaignId, path: `${path}.campaignId` }] : []));

const missing = (path: string, what: string): ErrorDetail => ({ path, code: 'not_found', message: `This ${what} does not exist` });

const circle = (path: string): ErrorDetail => ({ path, code: 'invalid_condition', message: 'The segment would refer to itself' });

async function segmentFaults(
  session: ClientSession | null,
  projectId: string,
  places: readonly IdAtPath[],
  segmentId: string | null,
): Promise<readonly ErrorDetail[]> {
  if (places.length === 0) return [];
  const rows = await SegmentModel.find({ projectId }, { segmentIds: 1 }, { session }).lean<Pick<Segment, '_id' | 'segmentIds'>[]>();
  const asks = new Map(rows.map((row) => [row._id, row.segmentIds]));
  return places.flatMap(({ id, path }) => {
    if (!asks.has(id)) return [missing(path, 'segment')];
    return segmentId !== null && reaches(asks, id, segmentId) ? [circle(path)] : [];
  });
}

function reaches(asks: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(asks.get(id) ?? []));
  }
  return false;
}

async function campaignFaults(
  session: ClientSession | null,
  projectId: string,
  places: readonly IdAtPath[],
): Promise<readonly ErrorDetail[]> {
  const ids = places.map(({ id }) => id);
  const existing = await knownCampaigns.only(session, projectId, ids);
  return places.filter(({ id }) => !existing.has(id)).map(({ path }) => missing(path, 'campaign'));
}

async function topicFaults(session: ClientSession | null, projectId: string, places: readonly IdAtPath[]): Promise<readonly ErrorDetail[]> {
  if (places.length === 0) return [];
  const keys = new Set((await listTopics({ projectId }, session ?? undefined)).map(({ key }) => key));
  return places.filter(({ id }) => !keys.has(id)).map(({ path }) => missing(path, 'topic'));
}

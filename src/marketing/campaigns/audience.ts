import { aggregateContacts, contactIdAfter, differenceOf } from '../../audience/contacts';
import type { ProjectFacts } from '../../platform/core';
import { startsAsked } from '../../records/emails';
import { siblingId } from '../../platform/core';
import { compile } from '../../rules/conditions/compile';
import type { Difference } from '../../rules/conditions/compile';
import { factsNeeded } from '../../rules/conditions/inventory';
import { topicsAsked } from '../../audience/topics';
import { topicQuery } from '../../rules/topics';
import { memberPage } from '../../audience/segments';
import { suppressionIds, suppressionsOfMany } from '../../records/suppressions';
import type { CampaignContent } from './model';
import { treeOf } from './refusals';

export type Audience = Pick<CampaignContent, 'audience' | 'segmentId' | 'filter' | 'topic'>;

export type Project = Pick<ProjectFacts, '_id' | 'idSalt'>;

/** Contacts that one query reads. */
const PAGE = 5_000;
/** Suppressed addresses that are looked for among an audience in one query. */
export const SUPPRESSED_PAGE = 1_000;

export interface AudienceMember {
  readonly _id: string;
  readonly email: string;
  /** Read where they are asked for. */
  readonly timezone?: string | null;
  readonly locale?: string | null;
  readonly snoozedUntil?: Date;
}

/** Members of an audience that are read together. */
export interface AudiencePage {
  readonly members: readonly AudienceMember[];
  /** The page that follows begins after this contact; null when there is none. */
  readonly next: string | null;
}

type Stages = ReturnType<typeof compile>['stages'];

/** Selects an audience from the project's contacts. */
interface Selection {
  /** The stages of the aggregation. */
  readonly stages: Stages;
  /** Comes before the difference, if there is one. */
  readonly reachable: Stages[number];
  readonly difference?: Difference;
}

/**
 * Resolves to what selects an audience at an instant from the project's contacts: subscribed unless `who` says otherwise, made before the instant, and matching its
 * filter. Members of a segment, and suppressed addresses, are queried separately by id.
 */
export async function audienceSelection(
  projectId: string,
  { audience, filter }: Audience,
  at: Date,
  who: { readonly subscribed?: boolean } = { subscribed: true },
): Promise<Selection> {
  const reachable = { $match: { ...who, createdAt: { $lte: at } } };
  if (audience !== 'filter') return { stages: [reachable], reachable };
  const tree = treeOf(filter);
  const starts = await startsAsked(projectId, factsNeeded(tree));
  const topics = await topicsAsked(projectId, tree);
  const { stages, difference } = compile(tree, { projectId, now: at, starts, topics });
  return { stages: [reachable, ...stages], reachable, ...(difference && { difference }) };
}

/** Counts the selected contacts that match; by indexes alone where they can. */
export function countSelected(projectId: string, { stages, reachable, difference }: Selection, match: Match): Promise<number> {
  const counting = async (these: Stages): Promise<number> =>
    (await aggregateContacts<{ count: number }>(projectId, match, [...these, { $count: 'count' }]))[0]?.count ?? 0;
  // By their ids, contacts are read anyway.
  if (!difference || '_id' in match) return counting(stages);
  return differenceOf(difference, (side) => counting([reachable, { $match: side }]));
}

/** Reads the next contacts of an audience in the order of their ids, without suppressed ones: each contact is in one page at most. */
export async function audiencePage(
  project: Project,
  audience: Audience,
  at: Date,
  after: string,
  members: Readonly<Record<string, 1>> = { email: 1 },
): Promise<AudiencePage> {
  const { match, next } = await candidates(project._id, audience, after);
  const inTopic = audience.topic ? [{ $match: topicQuery(audience.topic, true) }] : [];
  const { stages: selecting } = await audienceSelection(project._id, audience, at);
  const stages = [...inTopic, ...selecting, { $project: members }];
  const found = await aggregateContacts<AudienceMember>(project._id, { _id: match }, stages);
  const suppressed = await suppressionsOfMany(
    project._id,
    found.map(({ _id }) => _id),
  );
  return { members: found.filter(({ _id }) => !suppressed.has(_id)), next };
}

interface Candidates {
  readonly match: Readonly<Record<string, unknown>>;
  readonly next: string | null;
}

/** Reads the contacts from which the next page of an audience is selected. */
export async function candidates(projectId: string, { audience, segmentId }: Audience, after: string): Promise<Candidates> {
  if (audience === 'segment') {
    const ids = await memberPage(projectId, segmentId ?? '', after, PAGE);
    return { match: { $in: [...ids] }, next: ids.length === PAGE ? (ids.at(-1) ?? null) : null };
  }
  const next = await contactIdAfter(projectId, after, PAGE);
  return { match: { $gt: after, ...(next !== null && { $lte: next }) }, next };
}

/** Counts the contacts that a send at `at` would freeze (docs/campaigns.md, The audience). */
export async function countAudience(project: Project, audience: Audience, at: Date): Promise<number> {
  if (audience.audience === 'segment') return countPages(project, audience, at);
  const selection = await audienceSelection(project._id, audience, at);
  const count = inTopicCount(audience.topic, (match) => countSelected(project._id, selection, match));
  let total = await count({});
  for await (const ids of suppressionIds(project._id, SUPPRESSED_PAGE)) {
    total -= await count({ _id: { $in: ids.map((id) => siblingId('ctc', id)) } });
  }
  return Math.max(0, total);
}

type Match = Readonly<Record<string, unknown>>;

/** Returns how to count those in a topic as cheaply as all: who does not go by its default is found by an index, and who does is the rest. */
export function inTopicCount(topic: Audience['topic'], count: (match: Match) => Promise<number>): (match: Match) => Promise<number> {
  if (!topic) return count;
  const isByDefault = topic.defaultSubscription === 'in';
  return async (match) => {
    const chosen = { ...match, ...topicQuery(topic, !isByDefault) };
    return isByDefault ? differenceOf({ all: match, others: chosen }, count) : count(chosen);
  };
}

async function countPages(project: Project, audience: Audience, at: Date): Promise<number> {
  let total = 0;
  for (let after: string | null = ''; after !== null;) {
    const { members, next }: AudiencePage = await audiencePage(project, audience, at, after);
    total += members.length;
    after = next;
  }
  return total;
}

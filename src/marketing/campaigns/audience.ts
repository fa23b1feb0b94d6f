import { aggregateContacts, contactIdAfter, differenceOf } from '../../audience/contacts';
import type { ProjectFacts } from '../../platform/core';
import { startsAsked } from '../../records/emails';
import { siblingId } from '../../platform/core';
import { compile } from '../../rules/conditions/compile';
import type { Difference } from '../../rules/conditions/compile';
import { factsNeeded } from '../../rules/conditions/inventory';
import { topicsAsked } from '../../audience/topics';
import { topicQuery, isInTopic } from '../../rules/topics';
import { memberPage } from '../../audience/segments';
import { suppressionIds, suppressionsOfMany, SUPPRESSION_REASONS, suppressionsOfContacts } from '../../records/suppressions';
import type { CampaignContent } from './model';
import { treeOf } from './refusals';
import type { SuppressionReason } from '../../records/suppressions';
import type { TopicChoices } from '../../rules/topics';
import type { Topic } from '../../audience/topics';

export type Audience = Pick<CampaignContent, 'audience' | 'segmentId' | 'filter' | 'topic'>;

type Project = Pick<ProjectFacts, '_id' | 'idSalt'>;

/** Contacts that one query reads. */
const PAGE = 5_000;
/** Suppressed addresses that are looked for among an audience in one query. */
const SUPPRESSED_PAGE = 1_000;

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
async function audienceSelection(
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
function countSelected(projectId: string, { stages, reachable, difference }: Selection, match: Match): Promise<number> {
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
  const ids = found.map(({ _id }) => _id);
  const suppressed = await suppressionsOfMany(project._id, ids);
  return { members: found.filter(({ _id }) => !suppressed.has(_id)), next };
}

interface Candidates {
  readonly match: Readonly<Record<string, unknown>>;
  readonly next: string | null;
}

/** Reads the contacts from which the next page of an audience is selected. */
async function candidates(projectId: string, { audience, segmentId }: Audience, after: string): Promise<Candidates> {
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
function inTopicCount(topic: Audience['topic'], count: (match: Match) => Promise<number>): (match: Match) => Promise<number> {
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

/** Counts of an audience: all contacts in it, and the ones that a send would leave out, each under one reason. */
export interface AudienceBreakdown {
  readonly named: number;
  readonly unsubscribed: number;
  readonly suppressed: Readonly<Record<SuppressionReason, number>>;
  /** Contacts that are not in the topic; absent without a topic. */
  readonly topic?: number;
}

type Tally = { named: number; unsubscribed: number; suppressed: Record<SuppressionReason, number>; topic?: number };

const nothing = (): Tally => ({ named: 0, unsubscribed: 0, suppressed: { hard_bounce: 0, complaint: 0, unsubscribe: 0, manual: 0 } });

/** Counts the contacts of an audience at `at`, and those left out by reason; the rest equals `countAudience`. */
export const breakDownAudience = (project: Project, audience: Audience, at: Date): Promise<AudienceBreakdown> =>
  audience.audience === 'segment' ? byPages(project, audience, at) : byCounts(project, audience, at);

/** Matches every contact of the audience. */
const EVERYBODY = {};

interface Named extends TopicChoices {
  readonly _id: string;
  readonly subscribed: boolean;
}

async function byPages({ _id: projectId }: Project, audience: Audience, at: Date): Promise<AudienceBreakdown> {
  const tally = nothing();
  const { topic } = audience;
  let outOfTopic = 0;
  for (let after: string | null = ''; after !== null;) {
    const { match, next }: Awaited<ReturnType<typeof candidates>> = await candidates(projectId, audience, after);
    const { stages: selecting } = await audienceSelection(projectId, audience, at, {});
    const stages = [...selecting, { $project: { subscribed: 1, topicsIn: 1, topicsOut: 1 } }];
    const found = await aggregateContacts<Named>(projectId, { _id: match }, stages);
    const subscribed = found.filter((contact) => contact.subscribed);
    tally.named += found.length;
    tally.unsubscribed += found.length - subscribed.length;
    const ids = subscribed.map(({ _id }) => _id);
    const suppressions = await suppressionsOfContacts(projectId, ids);
    for (const { reason } of suppressions.values()) tally.suppressed[reason] += 1;
    if (topic) outOfTopic += subscribed.filter((contact) => !suppressions.has(contact._id) && !isInTopic(topic, contact)).length;
    after = next;
  }
  return topic ? { ...tally, topic: outOfTopic } : tally;
}

async function byCounts({ _id: projectId }: Project, audience: Audience, at: Date): Promise<AudienceBreakdown> {
  const [subscribed, unsubscribed] = [
    await audienceSelection(projectId, audience, at),
    await audienceSelection(projectId, audience, at, { subscribed: false }),
  ];
  const count = (match: Readonly<Record<string, unknown>>): Promise<number> => countSelected(projectId, subscribed, match);
  const whole = count(EVERYBODY);
  const countIn = inTopicCount(audience.topic, (match) => (match === EVERYBODY ? whole : count(match)));
  const [all, out, into] = await Promise.all([whole, countSelected(projectId, unsubscribed, EVERYBODY), countIn(EVERYBODY)]);
  const tally = { ...nothing(), named: all + out, unsubscribed: out };
  let inTopic = into;
  for (const reason of SUPPRESSION_REASONS) {
    for await (const ids of suppressionIds(projectId, SUPPRESSED_PAGE, reason)) {
      const match = { _id: { $in: ids.map((id) => siblingId('ctc', id)) } };
      tally.suppressed[reason] += await count(match);
      if (audience.topic) inTopic -= await countIn(match);
    }
  }
  if (!audience.topic) return tally;
  const suppressed = Object.values(tally.suppressed).reduce((sum, each) => sum + each, 0);
  return { ...tally, topic: all - suppressed - inTopic };
}

/** Counts of some contacts: those who are subscribed, and how many of them left or chose each topic. */
interface Counted {
  readonly all: number;
  readonly out: ReadonlyMap<string, number>;
  readonly in: ReadonlyMap<string, number>;
}

/** Resolves to how many contacts a campaign to all contacts of each topic would reach, by the topic's id. Counts index entries; reads the suppressed contacts. */
export async function countTopics(projectId: string, topics: readonly Topic[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const add = ({ all, ...chose }: Counted, sign: 1 | -1): void => {
    for (const { _id, defaultSubscription } of topics) {
      const reached = defaultSubscription === 'in' ? all - (chose.out.get(_id) ?? 0) : (chose.in.get(_id) ?? 0);
      counts.set(_id, (counts.get(_id) ?? 0) + sign * reached);
    }
  };
  add(await countedByIndex(projectId, topics), 1);
  const ids = topics.map(({ _id }) => _id);
  for await (const suppressed of suppressionIds(projectId, SUPPRESSED_PAGE)) {
    add(await countedAmong(projectId, ids, { _id: { $in: suppressed.map((id) => siblingId('ctc', id)) } }), -1);
  }
  return new Map([...counts].map(([id, count]) => [id, Math.max(0, count)]));
}

const countOf = async (projectId: string, match: Readonly<Record<string, unknown>>): Promise<number> =>
  (await aggregateContacts<{ count: number }>(projectId, match, [{ $count: 'count' }]))[0]?.count ?? 0;

/** Counts those who did not go by the default, topic by topic: a query for all topics would have to read them. */
async function countedByIndex(projectId: string, topics: readonly Topic[]): Promise<Counted> {
  const counts = { all: await countOf(projectId, { subscribed: true }), out: new Map<string, number>(), in: new Map<string, number>() };
  for (const { _id, defaultSubscription } of topics) {
    const [chose, list] = defaultSubscription === 'in' ? ([counts.out, 'topicsOut'] as const) : ([counts.in, 'topicsIn'] as const);
    chose.set(_id, await countOf(projectId, { [`${list}.topicId`]: _id, subscribed: true }));
  }
  return counts;
}

/** Counts the same among contacts that are named, with a few queries for all topics. */
async function countedAmong(projectId: string, topicIds: readonly string[], match: Readonly<Record<string, unknown>>): Promise<Counted> {
  const subscribed = { ...match, subscribed: true };
  const chose = async (list: 'topicsIn' | 'topicsOut'): Promise<ReadonlyMap<string, number>> => {
    const topicId = `${list}.topicId`;
    const rows = await aggregateContacts<{ _id: string; count: number }>(projectId, { ...subscribed, [topicId]: { $in: [...topicIds] } }, [
      { $project: { _id: 0, topicId: `$${topicId}` } },
      { $unwind: '$topicId' },
      { $group: { _id: '$topicId', count: { $sum: 1 } } },
    ]);
    return new Map(rows.map(({ _id, count }) => [_id, count]));
  };
  const [all, out, into] = await Promise.all([countOf(projectId, subscribed), chose('topicsOut'), chose('topicsIn')]);
  return { all, out, in: into };
}

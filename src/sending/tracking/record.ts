import type { ClientSession } from 'mongoose';
import { campaignFigures } from '../../records/campaign-figures';
import type { CampaignCounter, CampaignHappening } from '../../records/campaign-figures';
import { engage, findFacts, noteMachines } from '../../records/emails';
import type { EmailFacts, Engagement, MachineVisit } from '../../records/emails';
import { isErasedAddress } from '../../platform/addresses';
import { emit, rejudge } from '../../records/events';
import type { Rejudged } from '../../records/events';
import { inTransaction } from '../../platform/mongo';
import { countMailIn, happeningsOf } from '../../records/stats';
import type { MailHappening } from '../../records/stats';
import { hitBy, imageProxyOf } from './machine';
import type { ImageProxy, Hit } from './machine';
import { HitTrailModel } from './model';
import type { HitTrail, TrailVisit } from './model';
import { follow, reasonOf } from './trail';
import type { ChangedVisitEvent, Followed, NewVisitEvent } from './trail';
import { setTimeout as wait } from 'node:timers/promises';
import { Batcher } from '../../platform/batch';

const USER_AGENT_LENGTH = 200;

/** A message with its new hits, in the order they came. */
interface Visited {
  readonly email: EmailFacts;
  readonly hits: readonly Hit[];
}

/**
 * Records hits in one transaction: counters, status and instants by people's hits, and for each message at most one event a minute for opens,
 * for each link, and for each way of recognising a machine. What hits of the last minute turn out to be is corrected everywhere but where it was handed on. A message that
 * is gone gets no hits. With `judgesTime`, clicks are checked by their time too. Resolves to those that came too early: their messages are being sent, and have no rows yet.
 */
export function recordHits(hits: readonly Hit[], judgesTime: boolean): Promise<readonly Hit[]> {
  return inTransaction(async (session) => {
    const found = await findVisited(session, hits);
    const visited = found.filter(({ email }) => !email.hasNoRow);
    const known = await trailsOf(session, visited);
    const followed = visited.map(({ email, hits: own }) => follow(email, known.get(email._id), own, judgesTime));
    await engage(session, followed.flatMap(engagementOf));
    await noteMachines(session, followed.flatMap(machinesOf));
    await countVisits(session, followed);
    await keepTrails(session, followed);
    const emitted = followed.flatMap(({ email, emitted: events }) => events.map((event) => eventOf(email, event)));
    await countMailIn(session, [...emitted.flatMap(happeningsOf), ...followed.flatMap(correctionsOf)]);
    await emit(session, emitted);
    await rejudge(session, followed.flatMap(rejudgedOf));
    return found.filter(({ email }) => email.hasNoRow).flatMap(({ hits: early }) => early);
  });
}

async function findVisited(session: ClientSession, hits: readonly Hit[]): Promise<readonly Visited[]> {
  const byEmail = new Map<string, Hit[]>();
  for (const hit of hits) byEmail.set(hit.emailId, [...(byEmail.get(hit.emailId) ?? []), hit]);
  const emails = await findFacts([...byEmail.keys()], session);
  return [...byEmail].flatMap(([emailId, own]) => {
    const email = emails.get(emailId);
    return email ? [{ email, hits: isErasedAddress(email.to) ? own.map(ofNobody) : own }] : [];
  });
}

// For an erased person, only the fact of the open or click is kept: an address in a link may name them.
const ofNobody = (hit: Hit): Hit => ({ ...hit, url: null, userAgent: null });

async function trailsOf(session: ClientSession, visited: readonly Visited[]): Promise<ReadonlyMap<string, HitTrail>> {
  const ids = visited.map(({ email }) => email._id);
  if (ids.length === 0) return new Map();
  const trails = HitTrailModel.collection.find<HitTrail>({ _id: { $in: ids } }, { session });
  return new Map((await trails.toArray()).map((trail) => [trail._id, trail]));
}

async function keepTrails(session: ClientSession, followed: readonly Followed[]): Promise<void> {
  if (followed.length === 0) return;
  const writes = followed.map(({ trail: { _id, ...trail } }) => ({ replaceOne: { filter: { _id }, replacement: trail, upsert: true } }));
  await HitTrailModel.collection.bulkWrite(writes, { session, ordered: false });
}

/** Forgets the recent visits of messages, with the links that were followed. */
export async function forgetTrails(emailIds: readonly string[]): Promise<void> {
  await HitTrailModel.collection.deleteMany({ _id: { $in: [...emailIds] } }, { hint: '_id_' });
}

const isAhead = (visit: TrailVisit): boolean => visit.kind === 'open' && visit.machine === 'bare-user-agent';
const ahead = ({ machines }: Followed): TrailVisit | undefined => machines.find(isAhead);
const scanned = ({ machines }: Followed): TrailVisit | undefined => machines.find((visit) => !isAhead(visit));
const instant = (at: number | null | undefined): Date | null => (at === null || at === undefined ? null : new Date(at));

/** Returns when machines first came to a message, if that is news: a proxy that loads images ahead of the reader, or another one. */
function machinesOf(followed: Followed): readonly MachineVisit[] {
  const { _id: emailId, projectId, proxiedAt, scannedAt } = followed.email;
  const first = {
    ...(proxiedAt ? {} : { proxiedAt: instant(ahead(followed)?.at) ?? undefined }),
    ...(scannedAt ? {} : { scannedAt: instant(scanned(followed)?.at) ?? undefined }),
  };
  return first.proxiedAt || first.scannedAt ? [{ projectId, emailId, ...first }] : [];
}

function engagementOf({ email, people }: Followed): readonly Engagement[] {
  const { opens, clicks } = people;
  const openedAt = instant(people.openedAt);
  const clickedAt = instant(people.clickedAt);
  const isSame = (is: Date | null, was: Date | null): boolean => is?.getTime() === was?.getTime();
  const isUnchanged = isSame(openedAt, email.openedAt) && isSame(clickedAt, email.clickedAt);
  if (isUnchanged && opens === email.opens && clicks === email.clicks) return [];
  const retracts = (openedAt === null && email.openedAt !== null) || (clickedAt === null && email.clickedAt !== null);
  return [{ projectId: email.projectId, emailId: email._id, opens, clicks, openedAt, clickedAt, retracts }];
}

/** Returns the members that are true from now on, or true no more; `proxiedOpened` once a person has opened the message too. */
function turnedOf(followed: Followed): Pick<CampaignHappening, 'first'> & { readonly undone: readonly CampaignCounter[] } {
  const { email, people } = followed;
  const wasProxied = email.proxiedAt !== undefined;
  const wasOpened = email.openedAt !== null;
  const isProxied = wasProxied || ahead(followed) !== undefined;
  const isOpened = people.openedAt !== null;
  const members: readonly (readonly [CampaignCounter, boolean, boolean])[] = [
    ['opened', wasOpened, isOpened],
    ['clicked', email.clickedAt !== null, people.clickedAt !== null],
    ['proxied', wasProxied, isProxied],
    ['scanned', email.scannedAt !== undefined, email.scannedAt !== undefined || scanned(followed) !== undefined],
    ['proxiedOpened', wasProxied && wasOpened, isProxied && isOpened],
  ];
  return {
    first: members.flatMap(([counter, was, is]) => (is && !was ? [counter] : [])),
    undone: members.flatMap(([counter, was, is]) => (was && !is ? [counter] : [])),
  };
}

/** Counts in the campaigns of live messages. */
async function countVisits(session: ClientSession, all: readonly Followed[]): Promise<void> {
  const happenings = all.flatMap((followed): CampaignHappening[] => {
    const { _id, projectId, campaignId, contentId, testMode } = followed.email;
    if (campaignId === null || testMode) return [];
    const turned = turnedOf(followed);
    const clicks = timesOf(followed.clicked);
    const retracted = { clicks: timesOf(followed.retracted), stay: linksOf(followed) };
    if (turned.first.length + turned.undone.length + clicks.size + retracted.clicks.size === 0) return [];
    return [{ projectId, campaignId, emailId: _id, contentId, ...turned, clicks, retracted }];
  });
  await campaignFigures.only.count(happenings, session);
  await campaignFigures.only.countLinks(session, happenings);
}

function timesOf(clicks: readonly TrailVisit[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { url } of clicks) if (url !== null) times.set(url, (times.get(url) ?? 0) + 1);
  return times;
}

/** Returns the links that a person clicked within the trail. */
const linksOf = ({ trail }: Followed): ReadonlySet<string> =>
  new Set(trail.visits.flatMap(({ kind, url, machine }) => (kind === 'click' && machine === null && url !== null ? [url] : [])));

interface Said {
  readonly visit: TrailVisit;
  readonly name: 'email.opened' | 'email.clicked';
  readonly first: boolean;
  readonly userAgent: string | null;
  readonly proxy: ImageProxy | null;
}

function eventOf(email: EmailFacts, { id, name, first, visit, hit }: NewVisitEvent) {
  const { projectId, contactId, source, testMode, _id: emailId } = email;
  const userAgent = hit?.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null;
  const proxy = hit ? imageProxyOf(hit) : null;
  const data = {
    source,
    userAgent,
    ...(name === 'email.clicked' && { url: visit.url }),
    ...saidOf({ visit, name, first, userAgent, proxy }),
  };
  return { id, projectId, name, contactId, emailId, data, testMode, at: new Date(visit.at) };
}

/** Returns the members of an event that say who came. */
function saidOf({ visit, name, first, userAgent, proxy }: Said) {
  const machine = reasonOf(visit);
  const by = hitBy({ kind: visit.kind, userAgent, machine });
  return {
    first,
    [name === 'email.opened' ? 'openedBy' : 'clickedBy']: by,
    ...(proxy && { proxy }),
    ...(machine && { machine: true, machineReason: machine }),
  };
}

/** Returns corrections of hourly counts: an event is the first of its message no more, or is it now. */
const correctionsOf = ({ email: { projectId, source, testMode }, changed }: Followed): readonly MailHappening[] =>
  changed.flatMap(({ was, first, visit }) => {
    if (was.first === first) return [];
    const event = { projectId, name: was.name, data: { source }, testMode, at: new Date(visit.at) };
    return happeningsOf(event).map((happening) => ({ ...happening, by: first ? 1 : -1 }));
  });

const rejudgedOf = ({ email, changed }: Followed): readonly Rejudged[] => changed.map((event) => rejudged(email, event));

const rejudged = ({ projectId }: EmailFacts, { was: { id, name }, first, visit }: ChangedVisitEvent): Rejudged => ({
  id,
  projectId,
  data: visit.machine === null ? { first } : saidOf({ visit, name, first, userAgent: null, proxy: null }),
});

/** Limit for hits in memory while the database is slow or unavailable; further ones are lost. */
const MOST_WAITING = 5_000;
/** Delay for a hit that arrived before its message was recorded: its outcome is recorded within moments. */
const EARLY_MS = 250;
/** Hits of one transaction. */
const MOST_TOGETHER = 500;

/**
 * Records hits with one transaction at a time; what comes meanwhile goes together into the next. So a rush of opens costs few commits, and
 * a message that is opened many times at once is no conflict.
 */
export class HitRecorder {
  private readonly batches: Batcher<Hit, readonly Hit[]>;
  private waiting = 0;

  /** `judgesTime`: clicks are checked by their time too. */
  constructor(judgesTime: boolean) {
    this.batches = new Batcher((hits) => recordHits(hits, judgesTime), { most: MOST_TOGETHER });
  }

  /** Resolves when the hit is recorded. Rejects when it is not and will not be. */
  async record(hit: Hit): Promise<void> {
    if (this.waiting >= MOST_WAITING) throw new Error('Too many hits wait to be recorded');
    this.waiting++;
    try {
      while ((await this.batches.add(hit)).includes(hit)) await wait(EARLY_MS, undefined, { ref: false });
    } finally {
      this.waiting--;
    }
  }
}

import type { ClientSession } from 'mongoose';
import { campaignFigures } from '../../records/campaign-figures';
import type { CampaignCounter, CampaignHappening } from '../../records/campaign-figures';
import { engage, findFacts, noteMachines } from '../../records/emails';
import type { EmailFacts, Engagement, MachineVisit } from '../../records/emails';
import { isErasedAddress } from '../../platform/addresses';
import { emit } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { derivedId } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { countMailIn, happeningsOf } from '../../records/stats';
import { hitBy, imageProxyOf } from './machine';
import type { HitKind, MachineReason } from './machine';
import { HitMarkModel } from './model';
import type { HitMark } from './model';

/** One request for the pixel or for a link of a message. */
export interface Hit {
  readonly emailId: string;
  readonly kind: HitKind;
  /** The link; null for an open. */
  readonly url: string | null;
  readonly userAgent: string | null;
  /** Null for a person's. */
  readonly machine: MachineReason | null;
  readonly at: Date;
}

const MINUTE_MS = 60_000;
const USER_AGENT_LENGTH = 200;

/** A message with what people and machines did with it, each in the order it came. */
interface Visited {
  readonly email: EmailFacts;
  readonly people: readonly Hit[];
  readonly machines: readonly Hit[];
}

/** A visit that becomes an event, unless a similar one did a moment ago. */
interface Candidate {
  readonly mark: string;
  readonly at: Date;
  readonly event: NewEvent;
}

/**
 * Records hits in one transaction: counters, status and instants by people's hits, and for each message at most one event a minute for opens,
 * for each link, and for each way of recognising a machine. A message that is gone takes no hits. Resolves to those that came too early: their messages are being
 * sent, and have no rows yet.
 */
export function recordHits(hits: readonly Hit[]): Promise<readonly Hit[]> {
  return inTransaction(async (session) => {
    const found = await findVisited(session, hits);
    const visited = found.filter(({ email }) => !email.hasNoRow);
    const seen = visited.filter(({ people }) => people.length > 0);
    await engage(session, seen.map(engagementOf));
    await noteMachines(session, visited.flatMap(machinesOf));
    await countVisits(session, visited);
    const events = await claimMinutes(session, visited.flatMap(candidatesOf));
    await countMailIn(session, events.flatMap(happeningsOf));
    await emit(session, events);
    return found.filter(({ email }) => email.hasNoRow).flatMap(({ people, machines }) => [...people, ...machines]);
  });
}

async function findVisited(session: ClientSession, hits: readonly Hit[]): Promise<readonly Visited[]> {
  const byEmail = new Map<string, { people: Hit[]; machines: Hit[] }>();
  for (const hit of hits) {
    const known = byEmail.get(hit.emailId) ?? { people: [], machines: [] };
    known[hit.machine === null ? 'people' : 'machines'].push(hit);
    byEmail.set(hit.emailId, known);
  }
  const emails = await findFacts([...byEmail.keys()], session);
  return [...byEmail].flatMap(([emailId, by]) => {
    const email = emails.get(emailId);
    if (!email) return [];
    return [isErasedAddress(email.to) ? { email, people: by.people.map(ofNobody), machines: by.machines.map(ofNobody) } : { email, ...by }];
  });
}

/** For an erased person, only the fact of the open or click is kept: an address in a link may name them. */
const ofNobody = (hit: Hit): Hit => ({ ...hit, url: null, userAgent: null });

const ahead = ({ machines }: Visited): Hit | undefined => machines.find((hit) => imageProxyOf(hit) !== null);
const scanned = ({ machines }: Visited): Hit | undefined => machines.find((hit) => imageProxyOf(hit) === null);

/** When machines first came to a message, if that is news: a proxy that loads images ahead of the reader, or another one. */
function machinesOf(visited: Visited): readonly MachineVisit[] {
  const { _id: emailId, projectId, proxiedAt, scannedAt } = visited.email;
  const first = {
    ...(proxiedAt ? {} : { proxiedAt: ahead(visited)?.at }),
    ...(scannedAt ? {} : { scannedAt: scanned(visited)?.at }),
  };
  return first.proxiedAt || first.scannedAt ? [{ projectId, emailId, ...first }] : [];
}

/** The members that machines made true for the first time; `proxiedOpened` once a person has opened the message too. */
function firstOfMachines(visited: Visited): readonly CampaignCounter[] {
  const { proxiedAt, scannedAt, openedAt } = visited.email;
  const wasProxied = proxiedAt !== undefined;
  const isProxied = wasProxied || ahead(visited) !== undefined;
  const isOpened = openedAt !== null || visited.people.length > 0;
  const first: readonly (readonly [CampaignCounter, boolean])[] = [
    ['proxied', isProxied && !wasProxied],
    ['scanned', scannedAt === undefined && scanned(visited) !== undefined],
    ['proxiedOpened', isProxied && isOpened && !(wasProxied && openedAt !== null)],
  ];
  return first.flatMap(([counter, isFirst]) => (isFirst ? [counter] : []));
}

/** The members that people made true for the first time; a click implies an open. */
function firstOfPeople({ email: { openedAt, clickedAt }, people }: Visited): readonly CampaignCounter[] {
  if (people.length === 0) return [];
  const isFirstClick = clickedAt === null && people.some(({ kind }) => kind === 'click');
  return [...(openedAt === null ? (['opened'] as const) : []), ...(isFirstClick ? (['clicked'] as const) : [])];
}

/** Counts in the campaigns of live messages. */
async function countVisits(session: ClientSession, all: readonly Visited[]): Promise<void> {
  const happenings = all.flatMap((visited): CampaignHappening[] => {
    const { _id, projectId, campaignId, contentId, testMode } = visited.email;
    if (campaignId === null || testMode) return [];
    const clicks = new Map<string, number>();
    for (const { kind, url } of visited.people) if (kind === 'click' && url !== null) clicks.set(url, (clicks.get(url) ?? 0) + 1);
    const first = [...firstOfPeople(visited), ...firstOfMachines(visited)];
    return first.length > 0 || clicks.size > 0 ? [{ projectId, campaignId, emailId: _id, contentId, first, clicks }] : [];
  });
  await campaignFigures.only.count(happenings, session);
  await campaignFigures.only.countLinks(session, happenings);
}

function engagementOf({ email, people }: Visited): Engagement {
  const clicks = people.filter(({ kind }) => kind === 'click').length;
  return { projectId: email.projectId, emailId: email._id, opens: people.length - clicks, clicks, at: people[0]?.at ?? new Date() };
}

/** Counts the first click as an open too when no open came before it: many mail apps load no images. */
function candidatesOf({ email, people, machines }: Visited): readonly Candidate[] {
  const { openedAt, clickedAt } = email;
  const opened = people.find(({ kind }) => kind === 'open') ?? (openedAt === null ? people[0] : undefined);
  const clicks = distinct(people.filter(({ kind }) => kind === 'click'));
  return [
    ...(opened ? [candidate(email, 'open', opened, openedAt === null)] : []),
    ...clicks.map((hit, index) => candidate(email, 'click', hit, clickedAt === null && index === 0)),
    ...distinct(machines).map((hit) => candidate(email, hit.kind, hit, false)),
  ];
}

/** The earliest hit of each mark, in the order they came. */
function distinct(hits: readonly Hit[]): readonly Hit[] {
  const earliest = new Map<string, Hit>();
  for (const hit of hits) {
    const mark = markOf(hit.kind, hit);
    if (!earliest.has(mark)) earliest.set(mark, hit);
  }
  return [...earliest.values()];
}

const markOf = (kind: HitKind, { emailId, url, machine }: Hit): string =>
  derivedId('hit', emailId, kind, kind === 'click' ? (url ?? '') : '', machine ?? '');

const candidate = (email: EmailFacts, kind: HitKind, hit: Hit, first: boolean): Candidate => ({
  mark: markOf(kind, hit),
  at: hit.at,
  event: eventOf(email, kind, hit, first),
});

function eventOf({ _id, projectId, contactId, source, testMode }: EmailFacts, kind: HitKind, hit: Hit, first: boolean): NewEvent {
  const proxy = imageProxyOf(hit);
  return {
    projectId,
    name: kind === 'open' ? 'email.opened' : 'email.clicked',
    contactId,
    emailId: _id,
    data: {
      source,
      first,
      userAgent: hit.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
      ...(kind === 'click' && { url: hit.url }),
      [kind === 'open' ? 'openedBy' : 'clickedBy']: hitBy(hit),
      ...(proxy && { proxy }),
      ...(hit.machine && { machine: true, machineReason: hit.machine }),
    },
    testMode,
    at: hit.at,
  };
}

/** The events whose like was not emitted in the minute before; from now on it has been. */
async function claimMinutes(session: ClientSession, candidates: readonly Candidate[]): Promise<readonly NewEvent[]> {
  if (candidates.length === 0) return [];
  const marks = HitMarkModel.collection;
  const known = await marks.find<HitMark>({ _id: { $in: candidates.map(({ mark }) => mark) } }, { session }).toArray();
  const lastAt = new Map(known.map(({ _id, at }) => [_id, at.getTime()]));
  const due = candidates.filter(({ mark, at }) => at.getTime() - (lastAt.get(mark) ?? -Infinity) >= MINUTE_MS);
  if (due.length === 0) return [];
  const writes = due.map(({ mark, at }) => ({ updateOne: { filter: { _id: mark }, update: { $set: { at } }, upsert: true } }));
  await marks.bulkWrite(writes, { session, ordered: false });
  return due.map(({ event }) => event);
}

import type { ClientSession } from 'mongoose';
import { engage, findFacts, isUnsettled } from '../emails/engagement';
import type { EmailFacts } from '../emails/engagement';
import { emit } from '../events/emit';
import type { NewEvent } from '../events/emit';
import { derivedId } from '../ids';
import { inTransaction } from '../mongo/transaction';
import type { HitKind, MachineReason } from './machine';
import { HitMarkModel } from './model';

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

/** A hit that is worth an event unless one like it was worth one a moment ago. */
interface Candidate {
  readonly kind: HitKind;
  readonly hit: Hit;
  readonly first: boolean;
}

/**
 * Records hits on one message in one transaction: counters, status and instants by those of people, and at most one event a minute for opens,
 * for each link, and for each way of telling a machine. Resolves to false when delivery has yet to record the message, so that its status has
 * to follow later. A message that is gone takes no hits.
 */
export function recordHits(emailId: string, hits: readonly Hit[]): Promise<boolean> {
  return inTransaction(async (session) => {
    const people = hits.filter(({ machine }) => machine === null);
    const email = await noteEngagement(session, emailId, people);
    if (!email) return true;
    const events: NewEvent[] = [];
    for (const candidate of [...peopleCandidates(email, people), ...machineCandidates(hits)]) {
      if (await claimMinute(session, candidate)) events.push(eventOf(email, candidate));
    }
    await emit(session, events);
    return people.length === 0 || !isUnsettled(email);
  });
}

function noteEngagement(session: ClientSession, emailId: string, people: readonly Hit[]): Promise<EmailFacts | null> {
  const [earliest] = people;
  if (!earliest) return findFacts(emailId, session);
  const clicks = people.filter(({ kind }) => kind === 'click').length;
  return engage(session, emailId, { opens: people.length - clicks, clicks, at: earliest.at });
}

/** The first click tells of an open too when no open came before it: many mail apps load no images. */
function peopleCandidates({ openedAt, clickedAt }: EmailFacts, people: readonly Hit[]): readonly Candidate[] {
  const clicks = distinct(people.filter(({ kind }) => kind === 'click'));
  const opened = people.find(({ kind }) => kind === 'open') ?? (openedAt === null ? people[0] : undefined);
  return [
    ...(opened ? [{ kind: 'open' as const, hit: opened, first: openedAt === null }] : []),
    ...clicks.map((hit, index) => ({ kind: 'click' as const, hit, first: clickedAt === null && index === 0 })),
  ];
}

const machineCandidates = (hits: readonly Hit[]): readonly Candidate[] =>
  distinct(hits.filter(({ machine }) => machine !== null)).map((hit) => ({ kind: hit.kind, hit, first: false }));

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

/** Whether no event like it was emitted in the minute before; then this one is the minute's. */
async function claimMinute(session: ClientSession, { kind, hit }: Candidate): Promise<boolean> {
  const since = new Date(hit.at.getTime() - MINUTE_MS);
  const before = await HitMarkModel.collection.findOneAndUpdate(
    { _id: markOf(kind, hit) as never },
    [{ $set: { at: { $cond: [{ $lte: ['$at', since] }, hit.at, '$at'] } } }],
    { session, upsert: true, returnDocument: 'before' },
  );
  return before === null || (before['at'] as Date) <= since;
}

function eventOf({ _id, projectId, contactId, source, testMode }: EmailFacts, { kind, hit, first }: Candidate): NewEvent {
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
      ...(hit.machine && { machine: true, machineReason: hit.machine }),
    },
    testMode,
    at: hit.at,
  };
}

import type { ClientSession } from 'mongoose';
import { AppError, addressId, invalid, limitOf, newId } from '../../platform/core';
import type { Context, PageRequest } from '../../platform/core';
import { databaseNow, inTransaction, perDatabase, together } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { compareSoon, segmentsAsking } from '../segments';
import { forgetEvents, isTrigger, countOfName, newestEvents, emit, emitOnce, startedBy } from '../../records/events';
import type { Event, NewEvent, Triggered } from '../../records/events';
import { hook } from '../../platform/hooks';
import { contactIdFor, createMissing, findContact } from '../contacts';
import type { NewContact } from '../contacts';
import { batched } from '../../platform/batch';
import { AnswerKey, keyReused, oneAtATime, storeAnswers, storedAnswers } from '../../platform/idempotency';
import type { IdempotencyKey, IdempotencyRow } from '../../platform/idempotency';
import { takeAll } from '../../platform/limits';

/** Few enough for a short transaction. */
const CHUNK = 2_000;

/**
 * Deletes what was received of one of the caller's names until now; events that wait for the fan-out are dropped. Segments that ask about it are compared
 * again soon. Resolves to how many.
 * Throws `in_use` while an automation, in any state, has it as its trigger. Killed in the middle, the rest is there and can be deleted.
 */
export async function removeEvents(ctx: Context, name: string): Promise<number> {
  if (await isTrigger(ctx.projectId, name)) throw new AppError('in_use', 'A workflow has this event as its trigger');
  const until = await databaseNow();
  let removed = 0;
  for (let chunk = CHUNK; chunk === CHUNK; removed += chunk) {
    chunk = await inTransaction((session) => removeChunk(session, ctx.projectId, name, until));
  }
  return removed;
}

async function removeChunk(session: ClientSession, projectId: string, name: string, until: Date): Promise<number> {
  const removed = await forgetEvents(session, { projectId, name, until }, CHUNK);
  if (removed > 0) await compareSoon(session, projectId, name);
  return removed;
}

/** Something that refers to an event. */
interface Reference {
  readonly _id: string;
  readonly name: string;
}

/** Automations, in any state, that an event starts, that wait for it or ask about it, newest first. */
export const eventAutomations = hook<(projectId: string, name: string) => Promise<readonly Reference[]>>('which automations name an event');

/** The count of an event, and the objects that refer to it. */
export interface EventUsage {
  readonly count: number;
  readonly automations: readonly Reference[];
  readonly segments: readonly Reference[];
}

/** Resolves to how often an event came, the automations that it starts or that wait for it or ask about it, and the segments that ask about it. */
export async function eventUsage(ctx: Context, name: string): Promise<EventUsage> {
  const { projectId } = ctx;
  const [count, automations, segments] = await Promise.all([
    countOfName(projectId, name),
    eventAutomations.only(projectId, name),
    segmentsAsking(ctx, name),
  ]);
  return { count, automations, segments };
}

interface EventFilter {
  readonly name?: string | undefined;
  readonly contactId?: string | undefined;
  readonly email?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** Resolves to a page of the project's events, newest first. With both `contactId` and `email` they have to mean the same contact. */
export function listEvents(ctx: Context, { name, contactId, email, from, to }: EventFilter, request: PageRequest): Promise<Page<Event>> {
  const meant = email === undefined ? undefined : contactIdFor(ctx.project, email);
  if (contactId !== undefined && meant !== undefined && contactId !== meant) return Promise.resolve({ rows: [], next: null });
  return newestEvents({ projectId: ctx.projectId, name, contactId: contactId ?? meant, from, to }, request);
}

/** An event as a caller sends it, by the contact's id or by its address. */
interface GivenEvent {
  readonly name: string;
  /** Normalized: lower case, domain in ASCII. */
  readonly email?: string | undefined;
  readonly contactId?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  /** Default true. */
  readonly createContact?: boolean | undefined;
  readonly occurredAt?: Date | undefined;
}

/** A custom event that was stored, and what it sets off. */
export interface Ingested {
  readonly eventId: string;
  readonly contactId: string | null;
  /** Automations whose trigger the event is, in any state. */
  readonly triggers: readonly Triggered[];
  /** The result of `before`. */
  readonly before?: unknown;
  readonly replay?: true;
}

interface Request {
  readonly idempotency: IdempotencyKey | null;
  /** Client address, for the limits of public keys. */
  readonly client: string;
  /** Done before the event is recorded, and not again for a request whose answer is kept. Safe to repeat: a crash may come between the two. */
  readonly before?: (() => Promise<unknown>) | undefined;
}

/**
 * Records an event of the caller's. Where its contact is there already that is one insert, together with the other events of this iteration of the event loop;
 * a contact that has to be made, and an answer that is kept for its key, are in one transaction with the event, and with others of the project that wait. It
 * does not wait for other writers of that contact: a transaction that meets one is repeated.
 * Throws 422 `not_found` for an unknown `contactId`, `rate_limited`, `idempotency_key_reused` and `idempotency_in_progress`.
 */
export async function ingestEvent(ctx: Context, given: GivenEvent, { idempotency, ...request }: Request): Promise<Ingested> {
  if (!idempotency) return accept(ctx, given, request, null);
  const key = new AnswerKey(ctx, 'events', idempotency.key);
  const kept: Kept = { key, fingerprint: idempotency.fingerprint };
  return oneAtATime(key.id, kept.fingerprint, async () => (await earlierAnswer(kept)) ?? accept(ctx, given, request, kept));
}

/** Under what the answer is kept. */
interface Kept {
  readonly key: AnswerKey;
  readonly fingerprint: string;
}

async function earlierAnswer(kept: Kept): Promise<Ingested | null> {
  return opened(kept, (await storedAnswers([kept.key.id])).get(kept.key.id));
}

function opened({ key, fingerprint }: Kept, row: IdempotencyRow | undefined): Ingested | null {
  if (!row) return null;
  if (row.fingerprint !== fingerprint) throw keyReused();
  return { ...(JSON.parse(key.open(row.answer)) as Ingested), replay: true };
}

async function accept(
  ctx: Context,
  given: GivenEvent,
  { client, before }: Omit<Request, 'idempotency'>,
  kept: Kept | null,
): Promise<Ingested> {
  if (ctx.keyKind === 'public') await takePublic(ctx, client, given.email ?? '');
  const done = before && { before: await before() };
  const [{ contactId, missing }, { triggers, listening }] = await Promise.all([whoseIs(ctx, given), startedBy(ctx.projectId, given.name)]);
  const now = new Date();
  const event: NewEvent = {
    projectId: ctx.projectId,
    name: given.name,
    contactId,
    ...(given.data && { data: given.data }),
    testMode: ctx.testMode,
    at: given.occurredAt ?? now,
    listening,
  };
  if (!missing && !kept) return { eventId: await stored(event), contactId, triggers, ...done };
  return storedWith()([`events/${ctx.projectId}`], { event, missing, kept, answer: { contactId, triggers, ...done }, now });
}

/** An event that is stored with its new contact, with its answer, or with both. */
interface Work {
  readonly event: NewEvent;
  readonly missing: NewContact | null;
  readonly kept: Kept | null;
  readonly answer: Omit<Ingested, 'eventId'>;
  readonly now: Date;
}

const storedWith = perDatabase(() => together(storeAll));

/** Stores events of a project, oldest first, with their contacts and answers. */
async function storeAll(session: ClientSession, works: readonly Work[]): Promise<readonly Ingested[]> {
  const [{ now }] = works as readonly [Work, ...Work[]];
  const keys = works.flatMap(({ kept }) => kept?.key.id ?? []);
  const rows = await storedAnswers(keys, session);
  const earlier = works.map(({ kept }) => kept && opened(kept, rows.get(kept.key.id)));
  const fresh = works.filter((_work, at) => !earlier[at]);
  const contacts = fresh.flatMap(({ missing, event: { testMode } }) => (missing ? { contact: missing, testMode } : []));
  const created = await createMissing(session, contacts, now, 'event');
  const ids = await emit(session, [...created, ...fresh.map(({ event }) => event)]);
  const answers = new Map(fresh.map((work, at) => [work, { eventId: ids[created.length + at] as string, ...work.answer }]));
  await storeAnswers(
    session,
    fresh.flatMap((work) => (work.kept ? rowOf(work.kept, answers.get(work)) : [])),
  );
  return works.map((work, at) => earlier[at] ?? (answers.get(work) as Ingested));
}

const MINUTE_MS = 60_000;

const HOUR_MS = 3_600_000;

const PER_ADDRESS_AND_HOUR = 600;

const PER_PROJECT_AND_MINUTE = 6_000;

/**
 * Counts an event that came with a public key against the limits of its client, of its address and of its project (docs/events.md, Public keys). `client` is
 * the network address that it came from. Throws `rate_limited` with `Retry-After`.
 */
const takePublic = ({ core, project }: Context, client: string, email: string): Promise<void> =>
  takeAll('events', [
    {
      id: addressId('lim', project.idSalt, `client ${client}`),
      limit: limitOf(core.config, project, 'publicEventsPerMinute'),
      windowMs: MINUTE_MS,
    },
    { id: addressId('lim', project.idSalt, `address ${email}`), limit: PER_ADDRESS_AND_HOUR, windowMs: HOUR_MS },
    { id: addressId('lim', project.idSalt, 'project'), limit: PER_PROJECT_AND_MINUTE, windowMs: MINUTE_MS },
  ]);

const rowOf = ({ key, fingerprint }: Kept, answer: unknown): IdempotencyRow => ({
  _id: key.id,
  fingerprint,
  answer: key.seal(JSON.stringify(answer)),
  createdAt: new Date(),
});

type EventWithId = NewEvent & { readonly id: string };

/** Inserts the events of one iteration of the event loop together. Wake-ups follow. */
const insert = perDatabase(() =>
  batched(async (events: readonly EventWithId[]) => {
    await emitOnce(events);
    return new Map(events.map((event) => [event, event.id]));
  }),
);

async function stored(event: NewEvent): Promise<string> {
  const row = { ...event, id: newId('evt') };
  await insert()(row);
  return row.id;
}

interface Whose {
  readonly contactId: string | null;
  /** The contact that is to be made for it. */
  readonly missing: NewContact | null;
}

async function whoseIs(ctx: Context, { contactId, email, createContact = true }: GivenEvent): Promise<Whose> {
  if (email === undefined) {
    const contact = contactId === undefined ? undefined : await findContact(ctx.projectId, contactId);
    if (!contact) throw invalid('contactId', 'not_found', 'This contact does not exist');
    return { contactId: contact._id, missing: null };
  }
  const _id = contactIdFor(ctx.project, email);
  if (await findContact(ctx.projectId, _id)) return { contactId: _id, missing: null };
  if (!createContact) return { contactId: null, missing: null };
  // A visitor of a web page has not agreed to mail.
  const subscribed = ctx.keyKind !== 'public';
  return { contactId: _id, missing: { _id, projectId: ctx.projectId, email, firstName: null, lastName: null, subscribed } };
}

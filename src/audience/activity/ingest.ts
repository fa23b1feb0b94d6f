import type { ClientSession } from 'mongoose';
import { batched } from '../../platform/batch';
import { contactIdFor, createMissing, findContact } from '../contacts';
import type { NewContact } from '../contacts';
import type { Context } from '../../platform/core';
import { addressId, invalid, limitOf, newId } from '../../platform/core';
import { AnswerKey, keyReused, oneAtATime, storeAnswers, storedAnswers } from '../../platform/idempotency';
import type { IdempotencyKey, IdempotencyRow } from '../../platform/idempotency';
import { perDatabase, together } from '../../platform/mongo';
import { emit, emitOnce, startedBy } from '../../records/events';
import type { NewEvent, Triggered } from '../../records/events';
import { takeAll } from '../../platform/limits';

/** An event as a caller sends it, by the contact's id or by its address. */
export interface GivenEvent {
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

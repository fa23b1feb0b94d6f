import { AskedOnce } from '../../platform/async';
import { Batcher } from '../../platform/batch';
import { contactShape, findContacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { timedId } from '../../platform/core';
import type { Core } from '../../platform/core';
import { webhookShardOf } from '../../contracts/webhook';
import { emailSummary, findCopies, findForSummaries, untilRecorded } from '../../records/emails';
import type { Email } from '../../records/emails';
import { personId } from '../../platform/addresses';
import { isWithin, listenTo, remembered } from '../../records/events';
import type { Event } from '../../records/events';
import type { Consumer } from '../../records/fan-out';
import { databaseNow, perDatabase } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { matchesPattern, heardAs } from '../../rules/event-patterns';
import { wakeWebhooks } from '../../platform/wake-ups';
import { bodyOf } from './body';
import { WebhookModel } from './model';
import type { WebhookFormat, EnabledSpan, Webhook } from './model';
import { enqueue, newDelivery } from './queue';
import type { Unnumbered } from './queue';
import { resendBodyOf } from './resend-body';
import type { ClientSession } from 'mongoose';

/** Endpoints that are or were on, by project and version; each change of the events that one hears creates a new version. */
const hearingEndpoints = perDatabase(() => new AskedOnce<readonly Hearing[]>());

const hearingIn = (projectId: string, version: number): Promise<readonly Hearing[]> =>
  hearingEndpoints().get(`${projectId}/${version}`, () => {
    const filter = { projectId, $or: [{ enabled: true }, { 'earlier.0': { $exists: true } }] };
    return WebhookModel.find(filter, { enabled: 1, events: 1, tag: 1, format: 1, since: 1, earlier: 1 }).lean<Hearing[]>().exec();
  });

/** An endpoint that an event is for, with the form of its bodies and the tag that it asks for. */
interface Hearer {
  readonly webhookId: string;
  readonly format: WebhookFormat | undefined;
  readonly tag: string | null;
}

/** Lists the endpoints that were on when the event was received, and heard its name. */
async function hearersOf({ projectId, name, fanOutVersion = 0 }: Event, version: number): Promise<readonly Hearer[]> {
  return (await hearingIn(projectId, version)).flatMap((endpoint) => {
    const heard = heardBy(endpoint, fanOutVersion);
    return heard?.events.some((pattern) => matchesPattern(pattern, name))
      ? [{ webhookId: endpoint._id, format: endpoint.format, tag: heard.tag }]
      : [];
  });
}

/** Derives the delivery's id from endpoint and event, so that a repeated event creates no second delivery. Sorts by the event's receipt. */
const deliveryId = (webhookId: string, { _id, receivedAt }: Event): string => timedId('whd', receivedAt.getTime(), `${webhookId}/${_id}`);

/** An event with what its bodies are made of. */
interface Facts {
  readonly email?: Email | undefined;
  readonly contact?: Contact | undefined;
  /** The contact that they contain data of; for mail to an address without a contact, the id that the contact would have. */
  readonly contactId?: string;
}

/** Resolves to what the bodies of an event contain. */
async function factsOf(event: Event): Promise<Facts> {
  const { projectId, emailId, contactId } = event;
  await untilRecorded(event);
  const [emails, contacts] = await Promise.all([
    findForSummaries(projectId, emailId === null ? [] : [emailId]),
    findContacts(projectId, contactId === null ? [] : [contactId]),
  ]);
  const [email] = emails;
  const contact = contacts.get(contactId ?? '');
  return { email, contact, ...((contact || email) && { contactId: await whoseIs(event, email) }) };
}

/** Writes the bodies of an event, by the formats that are asked for. */
async function bodiesOf(
  event: Event,
  { email, contact }: Facts,
  formats: readonly (WebhookFormat | undefined)[],
): Promise<ReadonlyMap<WebhookFormat | undefined, string>> {
  const shape = contact ? contactShape(contact) : null;
  const bodies = new Map<WebhookFormat | undefined, string>();
  if (formats.includes(undefined)) bodies.set(undefined, bodyOf({ event, email: email ? emailSummary(email) : null, contact: shape }));
  if (formats.includes('resend'))
    bodies.set('resend', resendBodyOf({ event, email, contact: shape, ...(email && (await firstOf(email))) }));
  return bodies;
}

/** Resolves to the id of the first copy of a message that several people see together. */
async function firstOf(email: Email): Promise<{ readonly firstId: string | undefined }> {
  const [first] = (await findCopies(email.projectId, [email])).get(email.messageId) ?? [];
  return { firstId: first?._id };
}

/** Resolves to the contact of an event, or the id that its message's recipient would have as a contact. */
const whoseIs = async ({ projectId, contactId }: Event, email: Email | undefined): Promise<string> =>
  contactId ?? personId('ctc', (await getProject(projectId)).idSalt, email?.to ?? '');

/** Stores deliveries; concurrent calls share a write. */
const store = perDatabase(() => new Batcher(async (rows: readonly Unnumbered[]) => enqueue(rows, await databaseNow())));

async function handle(core: Core, event: Event, version: number): Promise<void> {
  const { _id: eventId, projectId, name: eventName } = event;
  const named = await hearersOf(event, version);
  if (named.length === 0) return;
  const { contactId, ...facts } = await factsOf(event);
  const { email } = facts;
  const hearing = named.filter(({ tag }) => !tag || email?.tags?.includes(tag));
  if (hearing.length === 0) return;
  const now = await databaseNow();
  const bodies = await bodiesOf(
    event,
    facts,
    hearing.map(({ format }) => format),
  );
  const given = { projectId, eventId, eventName, ...(contactId !== undefined && { contactId }), replayOf: null };
  const rowOf = ({ webhookId, format }: Hearer): Unnumbered =>
    newDelivery({ _id: deliveryId(webhookId, event), webhookId, ...given, body: bodies.get(format) ?? null }, now);
  await store().addAll(hearing.map(rowOf));
  for (const shard of new Set(hearing.map(({ webhookId }) => webhookShardOf(webhookId)))) wakeWebhooks(core, shard);
}

/** Enqueues a delivery of each event to each endpoint that was on and listened to it when it was received; one that is off by now gets it when it is on again. */
export const webhookDeliveries: Consumer = { name: 'webhooks', handle };

/** The events that an endpoint hears, and since when. */
type Hearing = Pick<Webhook, '_id' | 'enabled' | 'events' | 'tag' | 'format' | 'since' | 'earlier'>;

/** Returns by which choice of its owner an endpoint heard what was received at a version of the listeners; undefined when it was off, or not there. */
function heardBy(
  { enabled, events, tag, since = 0, earlier = [] }: Hearing,
  version: number,
): Pick<EnabledSpan, 'events' | 'tag'> | undefined {
  if (enabled && version >= since) return { events, tag: tag ?? null };
  return earlier.find((span) => isWithin(version, span));
}

/** Lets events of a changed endpoint be delivered to it from the commit on. Resolves to what its row says of that; `before` is null for a new one. */
export async function hear(session: ClientSession, before: Webhook | null, next: Webhook): Promise<Pick<Webhook, 'since' | 'earlier'>> {
  const { _id, projectId, enabled, events } = next;
  if (before && isSameChoice(before, next)) return {};
  const version = await listenTo(session, projectId, `webhook/${_id}`, enabled ? events.map(heardAs) : []);
  if (!before?.enabled) return { since: version };
  const ended = { events: before.events, tag: before.tag ?? null, from: before.since ?? 0, until: version };
  return { since: version, earlier: remembered(before.earlier ?? [], ended) };
}

const isSameChoice = (before: Webhook, next: Webhook): boolean =>
  before.enabled === next.enabled && before.tag === next.tag && String(before.events) === String(next.events);

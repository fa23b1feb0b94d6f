import { LRUCache } from 'lru-cache';
import { Batcher } from '../../platform/batch';
import { contactShape, findContacts } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { webhookShardOf } from '../../contracts/webhook';
import { emailSummary, findForSummaries, untilRecorded } from '../../records/emails';
import type { Email } from '../../records/emails';
import { personId } from '../../platform/addresses';
import type { Event } from '../../records/events';
import type { Consumer } from '../../records/fan-out';
import { timedId } from '../../platform/core';
import { databaseNow, perDatabase } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { matchesPattern } from '../../rules/event-patterns';
import { wakeWebhooks } from '../../platform/wake-ups';
import { bodyOf } from './body';
import type { Delivery } from './delivery-model';
import { WebhookModel } from './model';
import { heardBy } from './hearing';
import type { Hearing } from './hearing';
import { enqueue, newDelivery } from './queue';
import type { Unnumbered } from './queue';

/** Endpoints that are or were on, by project and version; each change of the events that one hears creates a new version. */
const hearingEndpoints = perDatabase(() => new LRUCache<string, Promise<readonly Hearing[]>>({ max: 10_000 }));

function hearingIn(projectId: string, version: number): Promise<readonly Hearing[]> {
  const hearing = hearingEndpoints();
  const key = `${projectId}/${version}`;
  const cached = hearing.get(key);
  if (cached) return cached;
  const filter = { projectId, $or: [{ enabled: true }, { 'earlier.0': { $exists: true } }] };
  const asked = WebhookModel.find(filter, { enabled: 1, events: 1, tag: 1, since: 1, earlier: 1 })
    .lean<Hearing[]>()
    .then((rows): readonly Hearing[] => rows);
  hearing.set(key, asked);
  asked.catch(() => hearing.delete(key));
  return asked;
}

/** An endpoint that an event is for, with the tag that it asks for. */
interface Hearer {
  readonly webhookId: string;
  readonly tag: string | null;
}

/** Lists the endpoints that were on when the event was received, and heard its name. */
async function hearersOf({ projectId, name, fanOutVersion = 0 }: Event, version: number): Promise<readonly Hearer[]> {
  return (await hearingIn(projectId, version)).flatMap((endpoint) => {
    const heard = heardBy(endpoint, fanOutVersion);
    return heard?.events.some((pattern) => matchesPattern(pattern, name)) ? [{ webhookId: endpoint._id, tag: heard.tag }] : [];
  });
}

/** Derives the delivery's id from endpoint and event, so that a repeated event creates no second delivery. Sorts by the event's receipt. */
const deliveryId = (webhookId: string, { _id, receivedAt }: Event): string => timedId('whd', receivedAt.getTime(), `${webhookId}/${_id}`);

interface EventDelivery {
  readonly delivery: Pick<Delivery, 'body' | 'contactId'>;
  readonly email: Email | undefined;
}

/** Returns the body of an event, with the contact that it contains data of; for mail to an address without a contact, the id that the contact would have. */
async function deliveryOf(event: Event): Promise<EventDelivery> {
  const { projectId, emailId, contactId } = event;
  await untilRecorded(event);
  const [emails, contacts] = await Promise.all([
    findForSummaries(projectId, emailId === null ? [] : [emailId]),
    findContacts(projectId, contactId === null ? [] : [contactId]),
  ]);
  const [email] = emails;
  const contact = contacts.get(contactId ?? '');
  const body = bodyOf({
    event,
    email: email ? emailSummary(email) : null,
    contact: contact ? contactShape(contact) : null,
  });
  const delivery = contact || email ? { body, contactId: await whoseIs(event, email) } : { body };
  return { delivery, email };
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
  const { delivery, email } = await deliveryOf(event);
  const hearing = named.filter(({ tag }) => !tag || email?.tags?.includes(tag));
  if (hearing.length === 0) return;
  const now = await databaseNow();
  const given = { projectId, eventId, eventName, ...delivery, replayOf: null };
  await store().addAll(hearing.map(({ webhookId }) => newDelivery({ _id: deliveryId(webhookId, event), webhookId, ...given }, now)));
  for (const shard of new Set(hearing.map(({ webhookId }) => webhookShardOf(webhookId)))) wakeWebhooks(core, shard);
}

/** Enqueues a delivery of each event to each endpoint that was on and listened to it when it was received; one that is off by now gets it when it is on again. */
export const webhookDeliveries: Consumer = { name: 'webhooks', handle };

import { LRUCache } from 'lru-cache';
import { gathered } from '../../platform/async';
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
import type { Webhook } from './model';
import { enqueue, newDelivery } from './queue';

type Hearing = Pick<Webhook, '_id' | 'events' | 'tag'>;

/** The enabled endpoints by project and version; each change of an endpoint makes a new version. */
const enabledEndpoints = perDatabase(() => new LRUCache<string, Promise<readonly Hearing[]>>({ max: 10_000 }));

function enabledIn(projectId: string, version: number): Promise<readonly Hearing[]> {
  const enabled = enabledEndpoints();
  const key = `${projectId}/${version}`;
  const cached = enabled.get(key);
  if (cached) return cached;
  const asked = WebhookModel.find({ projectId, enabled: true }, { events: 1, tag: 1 })
    .lean<Hearing[]>()
    .then((rows): readonly Hearing[] => rows);
  enabled.set(key, asked);
  asked.catch(() => enabled.delete(key));
  return asked;
}

/** Derives the delivery's id from endpoint and event, so that a repeated event makes no second delivery. Sorts by the event's receipt. */
const deliveryId = (webhookId: string, { _id, receivedAt }: Event): string => timedId('whd', receivedAt.getTime(), `${webhookId}/${_id}`);

interface EventDelivery {
  readonly delivery: Pick<Delivery, 'body' | 'contactId'>;
  readonly email: Email | undefined;
}

/** Makes the body of an event, with the contact that it contains data of; for mail to an address without a contact, the id that the contact would have. */
async function deliveryOf(event: Event): Promise<EventDelivery> {
  const { projectId, emailId, contactId } = event;
  await untilRecorded(event);
  const [emails, contacts] = await Promise.all([
    findForSummaries(projectId, emailId === null ? [] : [emailId]),
    findContacts(contactId === null ? [] : [contactId]),
  ]);
  const [email] = emails;
  const contact = contacts.get(contactId ?? '');
  const body = bodyOf({
    event,
    email: email ? emailSummary(email) : null,
    contact: contact?.projectId === projectId ? contactShape(contact) : null,
  });
  const delivery = contact || email ? { body, contactId: await whoseIs(event, email) } : { body };
  return { delivery, email };
}

/** Resolves to the contact of an event, or the id that its message's recipient would have as a contact. */
const whoseIs = async ({ projectId, contactId }: Event, email: Email | undefined): Promise<string> =>
  contactId ?? personId('ctc', (await getProject(projectId)).idSalt, email?.to ?? '');

/** Stores deliveries; concurrent calls share a write. */
const store = perDatabase(() =>
  gathered<Delivery>(async (rows) => {
    await enqueue(rows, await databaseNow());
  }),
);

async function handle(core: Core, event: Event, version: number): Promise<void> {
  const { _id: eventId, projectId, name: eventName } = event;
  const named = (await enabledIn(projectId, version)).filter(({ events }) => events.some((pattern) => matchesPattern(pattern, eventName)));
  if (named.length === 0) return;
  const { delivery, email } = await deliveryOf(event);
  const hearing = named.filter(({ tag }) => !tag || email?.tags?.includes(tag));
  if (hearing.length === 0) return;
  const now = await databaseNow();
  const given = { projectId, eventId, eventName, ...delivery, replayOf: null };
  await store()(hearing.map(({ _id: webhookId }) => newDelivery({ _id: deliveryId(webhookId, event), webhookId, ...given }, now)));
  for (const shard of new Set(hearing.map(({ _id }) => webhookShardOf(_id)))) wakeWebhooks(core, shard);
}

/** Enqueues a delivery of each event to each enabled endpoint that listens to it. */
export const webhookDeliveries: Consumer = { name: 'webhooks', handle };

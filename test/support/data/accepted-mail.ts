import { acceptedOutcome } from '../../../src/sending/deliver/outcome';
import { Recorder } from '../../../src/sending/deliver/record';
import type { Outcome } from '../../../src/records/emails/attempts';
import type { Email } from '../../../src/records/emails/model';
import { listeningOf } from '../../../src/records/events/listeners';
import type { Core } from '../../../src/platform/core';
import { newId } from '../../../src/platform/core/ids';
import { emailEventId } from '../../../src/rules/email-events';
import type { EmailEventName } from '../../../src/rules/email-events';
import { storeEmails } from './email-rows';

export const ACCEPTED = '250 2.0.0 Ok';

/** Live campaign messages that a worker has on the wire, one for each set of changes. */
export function onTheWire(projectId: string, changes: readonly Partial<Email>[], worker = 'wrk_test'): Promise<Email[]> {
  const attempt = { id: newId('att'), worker, at: new Date() };
  const claimed = { source: 'campaign', type: 'marketing', status: 'sending', attempts: 1, attempt } as const;
  return storeEmails(projectId, ...changes.map((change) => ({ ...claimed, ...change })));
}

/** The next server took a message; its word counts for the recipient's. */
export const acceptance = (email: Email, at: Date, response = ACCEPTED): Outcome =>
  acceptedOutcome(email, response, { acceptedIsDelivered: true }, at);

/** An event as the API lists it. */
export interface ListedEvent {
  readonly eventId: string;
  readonly projectId: string;
  readonly contactId: string | null;
  readonly emailId: string | null;
  readonly name: string;
  readonly data: object | null;
  readonly createdAt: string;
}

/** The events of a message that was accepted: campaign mail has no email.queued. */
export function eventsOfAccepted(email: Email, at: Date, response = ACCEPTED): ListedEvent[] {
  const names: readonly EmailEventName[] =
    email.source === 'campaign' ? ['email.queued', 'email.sent', 'email.delivered'] : ['email.sent', 'email.delivered'];
  return names.map((name) => ({
    eventId: emailEventId(email._id, name),
    projectId: email.projectId,
    contactId: email.contactId,
    emailId: email._id,
    name,
    data: name === 'email.queued' ? { source: email.source } : { source: email.source, response },
    createdAt: at.toISOString(),
  }));
}

export const newerFirst = (a: ListedEvent, b: ListedEvent): number =>
  a.createdAt === b.createdAt ? (a.eventId < b.eventId ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1;

/** Records accepted mail as a worker does: its rows hold the events where there is no listener. */
export async function recordAccepted(core: Pick<Core, 'log' | 'config' | 'dns'>, outcomes: readonly Outcome[]): Promise<void> {
  const recorder = new Recorder(core);
  const results = outcomes.map((outcome) => ({ outcome, listening: () => listeningOf(outcome.email.projectId) }));
  await recorder.record(results, null);
}

import type { Email } from '../emails/model';
import type { NewEvent } from '../events/emit';
import { merged } from '../merged';

/** What delivery tells of a message, in the order in which it can happen; each of it happens once. */
const ORDER = [
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.failed',
  'email.opened',
  'email.clicked',
  'email.complained',
  'email.queued',
] as const;

/** With an id that is a function of the message and the name: told again after a crash, it is the same event. */
export type DeliveryEvent = NewEvent & { readonly id: string };

export const eventOf = (
  email: Email,
  at: Date,
  name: (typeof ORDER)[number],
  data: Readonly<Record<string, unknown>> = {},
): DeliveryEvent => ({
  id: `evt_${email._id.slice('em_'.length)}${ORDER.indexOf(name)}`,
  projectId: email.projectId,
  name,
  contactId: email.contactId,
  emailId: email._id,
  data: merged({ source: email.source }, data),
  testMode: email.testMode,
  at,
  depth: email.depth ?? 0,
});

import type { Email } from '../../records/emails';
import type { EmailEvent } from '../../records/events';
import { merged } from '../../platform/core';
import { emailEventId } from '../../rules/email-events';
import type { EmailEventName } from '../../rules/email-events';

/** Makes an event that delivery emits about a message. */
export const eventOf = (email: Email, at: Date, name: EmailEventName, data: Readonly<Record<string, unknown>> = {}): EmailEvent => ({
  id: emailEventId(email._id, name),
  projectId: email.projectId,
  name,
  contactId: email.contactId,
  emailId: email._id,
  data: merged({ source: email.source }, data),
  testMode: email.testMode,
  at,
  depth: email.depth ?? 0,
});

import type { Contact } from './model';

/** Returns a contact as the API and webhooks show it. */
export function contactShape(contact: Contact) {
  const { _id, projectId, email, firstName, lastName, subscribed, data, locale, timezone, createdAt, updatedAt, snoozedUntil } = contact;
  return {
    contactId: _id,
    projectId,
    email,
    firstName,
    lastName,
    subscribed,
    data,
    locale,
    timezone,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(snoozedUntil && { snoozedUntil: snoozedUntil.toISOString() }),
  };
}

export type ContactShape = ReturnType<typeof contactShape>;

import type { Contact } from './model';

/** Returns a contact as the API and webhooks show it. */
export function contactShape({ _id, projectId, email, firstName, lastName, subscribed, data, locale, createdAt, updatedAt }: Contact) {
  return {
    contactId: _id,
    projectId,
    email,
    firstName,
    lastName,
    subscribed,
    data,
    locale,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export type ContactShape = ReturnType<typeof contactShape>;

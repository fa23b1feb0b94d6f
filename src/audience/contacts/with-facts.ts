import { ContactModel } from './model';
import type { Contact } from './model';

/** Resolves to a contact together with what the stages of an aggregation look up for it, in one query; null if the contact does not exist. */
export async function contactWithFacts(projectId: string, contactId: string, stages: readonly object[]): Promise<Contact | null> {
  const [found] = await ContactModel.collection
    .aggregate<Contact>([{ $match: { _id: contactId, projectId } }, ...(stages as Record<string, unknown>[])])
    .toArray();
  return found ?? null;
}

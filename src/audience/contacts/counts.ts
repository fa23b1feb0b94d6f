import { ContactModel } from './model';

export interface ContactCounts {
  readonly total: number;
  readonly subscribed: number;
  readonly unsubscribed: number;
}

const count = (filter: Readonly<Record<string, unknown>>): Promise<number> => ContactModel.collection.countDocuments(filter);

/** Resolves to how many contacts a project has. Counts index entries, no contacts. */
export async function countContacts(projectId: string): Promise<ContactCounts> {
  const [subscribed, unsubscribed] = (await Promise.all([true, false].map((subscribed) => count({ projectId, subscribed })))) as [
    number,
    number,
  ];
  return { total: subscribed + unsubscribed, subscribed, unsubscribed };
}

/** Resolves to how many of the ids are contacts of the project. */
export const countContactsAmong = (projectId: string, ids: readonly string[]): Promise<number> => count({ projectId, _id: { $in: ids } });

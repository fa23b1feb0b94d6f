import type { Document } from 'mongodb';
import { EventModel, OF_CONTACTS_INDEX } from './model';

const events = () => EventModel.collection;

const DELETED = 'contact.deleted';

/**
 * Data that events of the system's own names keep: ids, and words of ours. Everything else may be about a person: addresses, subjects,
 * links, names of fields, answers of mail systems.
 */
const KEPT = [
  'source',
  'method',
  'first',
  'late',
  'machine',
  'machineReason',
  'bounceType',
  'feedbackType',
  'attachments',
  'automatic',
  'workflowId',
  'executionId',
  'campaignId',
  'segmentId',
  'topicId',
  'key',
  'status',
];

/** A caller's event keeps its name and its instants. */
const BARE: readonly Document[] = [
  {
    $set: {
      contactId: null,
      data: {
        $cond: [
          {
            $and: [
              { $eq: [{ $type: '$data' }, 'object'] },
              { $regexMatch: { input: '$name', regex: '^(email|contact|segment|workflow)[.]' } },
            ],
          },
          { $arrayToObject: { $filter: { input: { $objectToArray: '$data' }, cond: { $in: ['$$this.k', KEPT] } } } },
          null,
        ],
      },
    },
  },
];

/** Matches events up to an instant, except the one of the deletion itself. */
const ofContacts = (projectId: string, contactIds: readonly string[], upTo: Date): Document => ({
  projectId,
  contactId: { $in: [...contactIds] },
  receivedAt: { $lte: upTo },
  name: { $ne: DELETED },
});

/**
 * Erases events of deleted contacts, at most `limit`: they keep no contact, and only the fact that they happened.
 * Events that wait for the fan-out are delivered unchanged, and erased afterwards. Resolves to how many were erased.
 */
export async function eraseEvents(projectId: string, contactIds: readonly string[], upTo: Date, limit: number): Promise<number> {
  const filter = { ...ofContacts(projectId, contactIds, upTo), fanOut: { $exists: false } };
  const rows = await events()
    .find(filter, { projection: { _id: 1 }, limit, hint: OF_CONTACTS_INDEX })
    .toArray();
  if (rows.length === 0) return 0;
  return (await events().updateMany({ _id: { $in: rows.map(({ _id }) => _id) }, projectId, fanOut: { $exists: false } }, [...BARE]))
    .modifiedCount;
}

/** Number of rows of a deleted contact that are erased before its deletion is answered; the rest is left to the erasure. */
const AT_ONCE = 2_000;

/** Detaches the first of a contact's events, or all, page after page. */
export async function detachEvents(
  projectId: string,
  contactIds: readonly string[],
  upTo: Date,
  reach: 'first' | 'all' = 'all',
): Promise<void> {
  for (let rows = AT_ONCE; rows === AT_ONCE;) {
    rows = await eraseEvents(projectId, contactIds, upTo, AT_ONCE);
    if (reach === 'first') break;
  }
}

/** Resolves to how many events of a contact wait to be delivered. */
export const countWaiting = (projectId: string, contactId: string, upTo: Date): Promise<number> =>
  events().countDocuments({ ...ofContacts(projectId, [contactId], upTo), fanOut: { $exists: true } }, { hint: OF_CONTACTS_INDEX });

/** Erases events by their ids. */
export async function eraseByIds(projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await events().updateMany({ _id: { $in: [...ids] }, projectId }, [...BARE], { hint: '_id_' });
}

/** Erases the events of messages at some instants: events of mail to an address without a contact cannot be found by a contact. */
export async function eraseAtInstants(projectId: string, emailIds: readonly string[], instants: readonly Date[]): Promise<void> {
  await events().updateMany({ projectId, createdAt: { $in: [...instants] }, emailId: { $in: [...emailIds] } }, [...BARE]);
}

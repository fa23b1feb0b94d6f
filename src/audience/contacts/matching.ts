import type { ClientSession, QueryFilter } from 'mongoose';
import type { Difference } from '../../rules/conditions/compile';
import type { Stage } from '../../rules/conditions/compile-activity';
import { ContactModel } from './model';
import type { Contact } from './model';
import type { PageRequest } from '../../platform/core';
import { page } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';

const BY_ID = { projectId: 1, _id: 1 } as const;
const BATCH = 5_000;
const SAMPLE_MS = 30_000;
/** Every contact is either, and indexes that begin with it are in the order of the list when it is asked for. */
const SUBSCRIBED_OR_NOT = { subscribed: { $in: [true, false] } };

/** Returns the ids of a project's contacts that pass the stages, in order, as they are found. */
export const matchingIds = (projectId: string, stages: readonly Stage[]): AsyncIterable<{ readonly _id: string }> =>
  ContactModel.collection.aggregate<{ _id: string }>(
    [{ $match: { projectId } }, { $sort: { _id: 1 } }, ...stages, { $project: { _id: 1 } }],
    {
      allowDiskUse: true,
      batchSize: BATCH,
    },
  );

/** Reads when contacts were made, as the transaction sees it; missing contacts are left out. */
export const createdAtOf = (
  session: ClientSession,
  projectId: string,
  contactIds: readonly string[],
): Promise<Pick<Contact, '_id' | 'createdAt'>[]> =>
  ContactModel.find({ _id: { $in: [...contactIds] }, projectId }, { createdAt: 1 }, { session }).lean<
    Pick<Contact, '_id' | 'createdAt'>[]
  >();

/** Resolves to what comes out of the stages for contacts that are named, as the transaction sees them. */
export const aggregateNamed = <T extends Contact>(
  session: ClientSession,
  projectId: string,
  contactIds: readonly string[],
  stages: readonly Stage[],
): Promise<T[]> =>
  ContactModel.collection
    .aggregate<T>([{ $match: { projectId, _id: { $in: [...contactIds] } } }, ...stages], { session, hint: BY_ID })
    .toArray();

/** Resolves to how many contacts pass the stages, and the newest of them. Where there is a difference that indexes count, that is counted instead. */
export async function sampleContacts(
  projectId: string,
  { stages, difference }: { readonly stages: readonly Stage[]; readonly difference?: Difference },
  size: number,
): Promise<{ readonly count: number; readonly sample: readonly Contact[] }> {
  const options = { allowDiskUse: true, maxTimeMS: SAMPLE_MS };
  const counting = async (these: readonly Stage[]): Promise<number> => {
    const [counted] = await ContactModel.collection
      .aggregate<{ count: number }>([{ $match: { projectId } }, ...these, { $count: 'count' }], options)
      .toArray();
    return counted?.count ?? 0;
  };
  const [count, sample] = await Promise.all([
    difference ? differenceOf(difference, (match) => counting([{ $match: match }])) : counting(stages),
    ContactModel.collection
      .aggregate<Contact>(
        [{ $match: { projectId, ...SUBSCRIBED_OR_NOT } }, { $sort: { createdAt: -1, _id: -1 } }, ...stages, { $limit: size }],
        options,
      )
      .toArray(),
  ]);
  return { count, sample };
}

/** Resolves to a difference, each side of it counted. */
export async function differenceOf(
  { all, others }: Difference,
  count: (match: Readonly<Record<string, unknown>>) => Promise<number>,
): Promise<number> {
  const [whole, part] = await Promise.all([count(all), count(others)]);
  return Math.max(0, whole - part);
}

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

/** Lists contacts that match, newest first or last, a page at a time; `members` names those that are read. */
export const pageOfContacts = (
  filter: QueryFilter<Contact>,
  request: PageRequest,
  direction: 1 | -1,
  members?: Readonly<Partial<Record<keyof Contact, 1>>>,
): Promise<Page<Contact>> => page(ContactModel, filter, request, { by: 'createdAt', direction }, members);

/** Resolves to a contact together with what the stages of an aggregation look up for it, in one query; null if the contact does not exist. */
export async function contactWithFacts(projectId: string, contactId: string, stages: readonly object[]): Promise<Contact | null> {
  const [found] = await ContactModel.collection
    .aggregate<Contact>([{ $match: { _id: contactId, projectId } }, ...(stages as Record<string, unknown>[])])
    .toArray();
  return found ?? null;
}

/** Runs the stages of an aggregation over a project's contacts that match. */
export const aggregateContacts = <T extends object>(
  projectId: string,
  match: Readonly<Record<string, unknown>>,
  stages: readonly Stage[],
): Promise<T[]> =>
  ContactModel.collection
    .aggregate<T>([{ $match: { projectId, ...match } }, ...stages], { ...('_id' in match && { hint: BY_ID }), allowDiskUse: true })
    .toArray();

/** Resolves to the id of the `count`th contact after `after`; null if fewer exist. Reads only the index. */
export async function contactIdAfter(projectId: string, after: string, count: number): Promise<string | null> {
  const [row] = await ContactModel.collection
    .find<{ _id: string }>({ projectId, _id: { $gt: after } }, { projection: { _id: 1 }, sort: BY_ID, hint: BY_ID })
    .skip(count - 1)
    .limit(1)
    .toArray();
  return row?._id ?? null;
}

import type { ClientSession } from 'mongoose';
import type { Difference } from '../../rules/conditions/compile';
import type { Stage } from '../../rules/conditions/compile-activity';
import { ContactModel } from './model';
import type { Contact } from './model';

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

import type { ClientSession } from 'mongoose';
import type { Stage } from '../../rules/conditions/compile-activity';
import { ContactModel } from './model';
import type { Contact } from './model';

const BY_ID = { projectId: 1, _id: 1 } as const;
const BATCH = 5_000;
const SAMPLE_MS = 30_000;

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

/** Resolves to how many contacts pass the stages, and the newest of them. Where an index finds the `others`, those are counted instead. */
export async function sampleContacts(
  projectId: string,
  { stages, others }: { readonly stages: readonly Stage[]; readonly others?: Readonly<Record<string, unknown>> },
  size: number,
): Promise<{ readonly count: number; readonly sample: readonly Contact[] }> {
  const own = { $match: { projectId } };
  const options = { allowDiskUse: true, maxTimeMS: SAMPLE_MS };
  const counting = async (these: readonly Stage[]): Promise<number> => {
    const [counted] = await ContactModel.collection.aggregate<{ count: number }>([own, ...these, { $count: 'count' }], options).toArray();
    return counted?.count ?? 0;
  };
  const [count, sample] = await Promise.all([
    others ? difference(counting([]), counting([{ $match: others }])) : counting(stages),
    ContactModel.collection
      .aggregate<Contact>([own, { $sort: { createdAt: -1, _id: -1 } }, ...stages, { $limit: size }], options)
      .toArray(),
  ]);
  return { count, sample };
}

async function difference(all: Promise<number>, some: Promise<number>): Promise<number> {
  const [whole, part] = await Promise.all([all, some]);
  return Math.max(0, whole - part);
}

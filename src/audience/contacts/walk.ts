import type { Stage } from '../../rules/conditions/compile-activity';
import { ContactModel } from './model';

const BY_ID = { projectId: 1, _id: 1 } as const;

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

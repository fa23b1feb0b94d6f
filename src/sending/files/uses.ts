import type { Collection } from 'mongoose';
import type { Context } from '../../platform/core';
import { hook } from '../../platform/hooks';
import { inSequence } from '../../platform/mongo';
import { getProject } from '../../records/projects';

/** Something whose message shows a picture. */
export interface FileUse {
  readonly kind: 'brand' | 'template' | 'campaign' | 'workflow';
  readonly id: string;
  readonly name: string;
}

/** Limit for the uses of a kind: a project may have thousands of campaigns with its logo. */
const MOST = 20;

/** A search reads the content of a whole project. */
const MOST_MS = 5_000;

/** A question to a room for what shows a picture. */
export interface FileSearch {
  readonly projectId: string;
  /** The id of the file, which is part of its URL and made of letters, digits and `_`. */
  readonly fileId: string;
  readonly most: number;
  /** Time that a query may take. */
  readonly mostMs: number;
}

/** Names what of a room shows a picture, newest first. */
export const fileUsers = hook<(search: FileSearch) => Promise<readonly FileUse[]>>('what shows a picture');

/** Builds the condition that a content shows a picture, in any of its languages. A design has the picture in its HTML as well. */
const contentShowing = ({ projectId, fileId }: FileSearch) => ({
  projectId,
  $or: [{ body: { $regex: fileId } }, { $expr: { $anyElementTrue: [{ $map: { input: LANGUAGES, in: inLanguage(fileId) } }] } }],
});

const LANGUAGES = { $objectToArray: { $ifNull: ['$variants', {}] } };
const inLanguage = (fileId: string) => ({ $gte: [{ $indexOfBytes: [{ $ifNull: ['$$this.v.body', ''] }, fileId] }, 0] });

/** Lists what of a room's rows shows a picture, newest first. */
export async function findShowing(
  rows: Collection,
  kind: FileUse['kind'],
  search: FileSearch,
  filter: object = contentShowing(search),
): Promise<FileUse[]> {
  const found = rows.find<{ readonly _id: string; readonly name: string }>(filter, {
    projection: { name: 1 },
    sort: { createdAt: -1, _id: -1 },
    limit: search.most,
    maxTimeMS: search.mostMs,
  });
  return (await found.toArray()).map(({ _id: id, name }) => ({ kind, id, name }));
}

/**
 * Resolves to what shows a picture of the project: at most 20 things of each kind, and the brand with its logo. A project's searches run one after another.
 * Throws the database's failure where a query takes more than 5 seconds.
 */
export async function fileUses({ projectId }: Context, fileId: string): Promise<FileUse[]> {
  const search = { projectId, fileId, most: MOST, mostMs: MOST_MS };
  const { brand, name } = await getProject(projectId);
  const found = await inSequence(`file uses/${projectId}`, () => Promise.all(fileUsers.answers.map((ask) => ask(search))));
  return [...(brand?.logoUrl?.includes(fileId) ? [{ kind: 'brand' as const, id: projectId, name }] : []), ...found.flat()];
}

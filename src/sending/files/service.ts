import { createHash } from 'node:crypto';
import type { ClientSession, Collection } from 'mongoose';
import { derivedId, invalid, newId, notFound } from '../../platform/core';
import type { Context, Core, PageRequest } from '../../platform/core';
import { containing, inTransaction, newestFirst, inSequence, ownRow } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { contentOf, discardBlobs, storeBlob } from './blobs';
import { requireRoom, withReferenceLock } from '../../records/events';
import { withoutMetadata, pictureOf } from './picture';
import type { Picture } from './picture';
import { FileBlobModel, FileModel } from './model';
import type { StoredFile } from './model';
import { hook } from '../../platform/hooks';
import { getProject } from '../../records/projects';

/** Files that a project may have. */
const MOST = 10_000;
/** A reader's program may give up on larger pictures: decoded, they take four bytes a pixel. */
const MOST_SIDE = 10_000;
const MOST_PIXELS = 40_000_000;

interface NewFile {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Stores a picture, a JPEG without its metadata. The same content is stored once for a project: a second upload resolves to the first file, under its first name. Throws 422 for what is no
 * picture, and `limit_exceeded`.
 *
 * | killed                        | found                       | happens                                   |
 * |-------------------------------|-----------------------------|-------------------------------------------|
 * | after the blob, before the row | a blob that no file has     | the retention sweep removes it after an hour |
 * | after the commit              | the file and its blob       | an upload again resolves to it              |
 */
export async function storeFile(
  ctx: Context,
  { name, content: uploaded }: NewFile,
): Promise<{ readonly file: StoredFile; readonly isNew: boolean }> {
  const { projectId } = ctx;
  const picture = checkedPicture(uploaded);
  const content = picture.contentType === 'image/jpeg' ? withoutMetadata(uploaded) : uploaded;
  const _id = derivedId('fil', projectId, createHash('sha256').update(content).digest('hex'));
  const known = await FileModel.findOne({ _id, projectId }).lean<StoredFile>();
  if (known) return { file: known, isNew: false };
  const now = new Date();
  const blobId = newId('fbl', now.getTime());
  await storeBlob(ctx.core, { _id: blobId, projectId, attached: false, at: now }, content);
  const row: StoredFile = { _id, projectId, name, ...picture, bytes: content.length, blobId, createdAt: now };
  try {
    const file = await withReferenceLock(projectId, (session) => attach(session, ctx, row));
    return { file, isNew: file.blobId === blobId };
  } finally {
    await discardBlobs(ctx.core, [blobId]);
  }
}

function checkedPicture(content: Buffer): Picture {
  const picture = pictureOf(content);
  if (!picture) throw invalid('', 'invalid_type', 'The body is not a PNG, JPEG, GIF or WebP picture');
  const { width, height } = picture;
  if (Math.max(width, height) > MOST_SIDE || width * height > MOST_PIXELS)
    throw invalid(
      '',
      'too_big',
      `The picture says that it has ${width} by ${height} pixels; at most are 10,000 a side and 40 million in all`,
    );
  return picture;
}

/** Resolves to the file of that content: the given one, or one that another upload stored meanwhile. */
async function attach(session: ClientSession, { core, projectId }: Context, file: StoredFile): Promise<StoredFile> {
  const known = await FileModel.findOne({ _id: file._id, projectId }, null, { session }).lean<StoredFile>();
  if (known) return known;
  await requireRoom(session, projectId, { what: 'files', most: MOST, of: FileModel });
  await requireRoom(session, projectId, {
    what: 'bytes of files',
    most: core.config.MAX_FILE_BYTES,
    of: (own) => bytesOf(own, projectId),
    adding: file.bytes,
  });
  const { matchedCount } = await FileBlobModel.collection.updateOne({ _id: file.blobId }, { $set: { attached: true } }, { session });
  if (matchedCount === 0) throw new Error('The content of an upload was removed before its file was stored');
  await FileModel.create([file], { session });
  return file;
}

async function bytesOf(session: ClientSession, projectId: string): Promise<number> {
  const [total] = await FileModel.aggregate<{ readonly bytes: number }>([
    { $match: { projectId } },
    { $group: { _id: null, bytes: { $sum: '$bytes' } } },
  ]).session(session);
  return total?.bytes ?? 0;
}

/** Resolves to a page of a project's files, newest first; with `search`, of those whose name contains it. */
export const listFiles = ({ projectId }: Context, search: string | undefined, page: PageRequest): Promise<Page<StoredFile>> =>
  newestFirst(FileModel, { projectId, ...(search && { name: containing(search) }) }, page);

/** Throws `not_found`. */
export const getFile = ({ projectId }: Context, _id: string): Promise<StoredFile> => ownRow(FileModel, 'File', { _id, projectId });

/** Removes a file. From the answer on, its URL finds nothing. Throws `not_found`. */
export async function deleteFile({ core, projectId }: Context, id: string): Promise<void> {
  const blobId = await inTransaction(async (session) => {
    const file = await FileModel.findOneAndDelete({ _id: id, projectId }, { session }).lean<StoredFile>();
    if (!file) throw notFound('File');
    await FileBlobModel.collection.updateOne({ _id: file.blobId }, { $set: { attached: false, at: new Date() } }, { session });
    return file.blobId;
  });
  await discardBlobs(core, [blobId]);
}

/** A file as it is served. */
export interface ServedFile {
  readonly file: StoredFile;
  readonly content: () => Promise<Buffer | null>;
}

/** Finds a file of any project by its public id; null if there is none. */
export async function servedFile(core: Pick<Core, 'config'>, id: string): Promise<ServedFile | null> {
  const file = await FileModel.findOne({ _id: id }).lean<StoredFile>();
  return file && { file, content: () => contentOf(core, file) };
}

/** Something whose message shows a picture. */
export interface FileUse {
  readonly kind: 'brand' | 'template' | 'campaign' | 'workflow';
  readonly id: string;
  readonly name: string;
}

/** Limit for the uses of a kind: a project may have thousands of campaigns with its logo. */
const MOST_USES = 20;

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
  const search = { projectId, fileId, most: MOST_USES, mostMs: MOST_MS };
  const { brand, name } = await getProject(projectId);
  const found = await inSequence(`file uses/${projectId}`, () => Promise.all(fileUsers.answers.map((ask) => ask(search))));
  return [...(brand?.logoUrl?.includes(fileId) ? [{ kind: 'brand' as const, id: projectId, name }] : []), ...found.flat()];
}

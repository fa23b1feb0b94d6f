import { createHash, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ContentCompiler, textsOfContent } from '../../message/template';
import type { CompiledContent } from '../../message/template';
import { insertRows, isDuplicate, perDatabase } from '../../platform/mongo';
import { newId, outsideRequests } from '../../platform/core';
import { answer, withinLimit } from '../../platform/async';
import { Batcher } from '../../platform/batch';
import { BlobModel, ContentModel } from './content-model';
import type { Blob, Content } from './content-model';
import type { Email } from './model';
import type { AttachmentRef, InlineContent } from './parts';

/** Compiled contents are kept within about this many characters of source: a lookup by id is cheaper than the compiler's own by text. */
const COMPILED_CHARACTERS = 4 * 1024 * 1024;

/** Caches which contents this process knows to be in its database. */
class KnownContents {
  /** Contents that are stored, with until when. */
  readonly stored = new LRUCache<string, number>({ max: 20_000 });
  /** Contents that were met, with whom they were met for: what comes again is worth sharing. */
  readonly met = new LRUCache<string, string>({ max: 20_000 });
  readonly compiled = new LRUCache<string, CompiledContent>({ maxSize: COMPILED_CHARACTERS });
  /** Contents that are being read. */
  readonly loading = new Map<string, Promise<CompiledContent>>();
  readonly compiler = new ContentCompiler();
}

const knownContents = perDatabase(() => new KnownContents());

/** Resolves to false if it exists already. */
const insertOnce = (insert: Promise<unknown>): Promise<boolean> =>
  insert.then(
    () => true,
    (error: unknown) => {
      if (isDuplicate(error)) return false;
      throw error;
    },
  );

/**
 * Returns whether this process has met this content before for somebody else; from now on it has met it. What was written for one person is never shared, so that
 * it goes with their messages when they are erased.
 */
export function comesAgain(id: string, address: string): boolean {
  const { met } = knownContents();
  const first = met.get(id);
  if (first === undefined) met.set(id, address);
  return first !== undefined && first !== address;
}

/** The use of a content is noted once in this time: far less often than unused contents are removed. */
const NOTED_MS = 3_600_000;

/** Stores shared content under its hash, for a message that goes out at `neededAt`; what is there already is the same. */
export async function storeContent(
  id: string,
  projectId: string,
  { subject, html, text, previewText, brand, verbatim, constants, language, strings }: InlineContent,
  neededAt: Date,
): Promise<void> {
  const { stored } = knownContents();
  if ((stored.get(id) ?? -Infinity) >= neededAt.getTime() - NOTED_MS) return;
  const contents = ContentModel.collection;
  const filter = { _id: id };
  const $max = { neededAt };
  while ((await contents.updateOne(filter, { $max })).matchedCount === 0) {
    const more = {
      ...(brand && { brand }),
      ...(verbatim && { verbatim }),
      ...(constants && { constants }),
      ...(language && { language }),
      ...(strings && { strings }),
    };
    if (await insertOnce(contents.insertOne({ _id: id, projectId, subject, html, text, previewText, ...more, neededAt }))) break;
  }
  stored.set(id, neededAt.getTime());
}

const OWN = '.';

/** Returns the id of content that the copies of one message share, and no other message. */
export const ownContentId = (hash: string): string => `${hash}${OWN}${newId('cnt')}`;

/** Returns whether a content is of the copies of one message alone. */
export const isOwnContent = (id: string): boolean => id.includes(OWN);

/** Bytes of an attachment that are looked for before they are inserted. */
const LARGE = 65_536;

/** Owners are not stored for attachments with more recipients than this: those are not personal. */
const MOST_OWNERS = 20;

/** Notes that messages have these contents now, so that they are kept for as long as others that are sent now. */
export const keepContents = async (ids: readonly string[], now: Date): Promise<void> => {
  if (ids.length > 0) await ContentModel.collection.updateMany({ _id: { $in: [...ids] } }, { $max: { neededAt: now } });
};

/** Notes that a message that has this content and these attachments goes out at an instant. */
export async function keepUntil({ contentId, attachments }: Pick<Email, 'contentId' | 'attachments'>, neededAt: Date): Promise<void> {
  const blobIds = attachments.flatMap(({ blobId }) => blobId ?? []);
  if (contentId !== null) await keepContents([contentId], neededAt);
  if (blobIds.length > 0) await BlobModel.collection.updateMany({ _id: { $in: blobIds } }, { $max: { neededAt } });
}

interface Attached {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  readonly cid?: string | undefined;
}

/** The recipients of an attachment, the time of their messages, and whether it is kept after that. */
interface Attaching {
  readonly contactIds: readonly string[];
  readonly neededAt: Date;
  readonly isKept: boolean;
}

/**
 * Stores an attachment's bytes once for a project, and for whom they are. One that goes with its messages is encrypted, and shared with no others: the key is
 * in the messages alone.
 */
export async function storeAttachment(
  projectId: string,
  { filename, contentType, content, cid }: Attached,
  { contactIds, neededAt, isKept }: Attaching,
): Promise<AttachmentRef> {
  const key = isKept ? null : newBlobKey();
  const bytes = key === null ? content : encryptBlob(key, content);
  const blobId = createHash('sha256').update(projectId).update('\0').update(bytes).digest('base64url');
  const owners = contactIds.length > MOST_OWNERS ? null : contactIds;
  const row = { _id: blobId, projectId, bytes, ...(owners && { owners }), usedAt: new Date(), neededAt };
  // What is large is not sent to the database again for each of its recipients.
  let isThere = bytes.length > LARGE && (await shareBlob(blobId, owners, neededAt));
  while (!isThere) isThere = (await insertBlob(row)) || (await shareBlob(blobId, owners, neededAt));
  return { filename, contentType, size: content.length, blobId, ...(cid !== undefined && { cid }), ...(key !== null && { key }) };
}

/** Bytes of attachments in one command at most. */
const MOST_BYTES = 4 * 1_048_576;

/** Attachments that arrive while others are stored are one command: each for itself would cost as much as the rest of its message. */
const blobInserts = perDatabase(() => ({
  those: new Batcher((rows: readonly Blob[]) => answer(() => insertedBlobs(rows)), { most: MOST_BYTES, size: ({ bytes }) => bytes.length }),
}));

async function insertedBlobs(rows: readonly Blob[]): Promise<ReadonlySet<Blob>> {
  const known = new Set(await insertRows(BlobModel, rows));
  return new Set(rows.filter((_, at) => !known.has(at)));
}

/** Resolves to false if it exists already. A large one waits for no others, nor they for it. */
const insertBlob = async (row: Blob): Promise<boolean> =>
  row.bytes.length > LARGE ? insertOnce(BlobModel.collection.insertOne(row)) : (await blobInserts().those.add(row)).has(row);

/** Resolves to false when the blob is gone: its only owner was erased. */
async function shareBlob(blobId: string, owners: readonly string[] | null, neededAt: Date): Promise<boolean> {
  const room = { $lte: [{ $size: { $setUnion: ['$owners', owners ?? []] } }, MOST_OWNERS] };
  const joined = {
    $cond: [{ $and: [{ $isArray: '$owners' }, owners !== null, room] }, { $setUnion: ['$owners', owners ?? []] }, '$$REMOVE'],
  };
  const filter = { _id: blobId };
  return (
    (
      await BlobModel.collection.updateOne(filter, [
        { $set: { owners: joined, usedAt: new Date(), neededAt: { $max: ['$neededAt', neededAt] } } },
      ])
    ).matchedCount === 1
  );
}

/** Returns what a message that came composed is stored as; null of any other. */
export const givenIn = ({ attachments = [] }: Partial<Pick<Email, 'attachments'>>): AttachmentRef | null =>
  attachments.find(({ given }) => given !== undefined) ?? null;

/** Resolves to the bytes of some attachments, in order. */
export async function loadAttachments(
  email: Pick<Email, 'attachments'>,
): Promise<(Pick<AttachmentRef, 'filename' | 'contentType' | 'cid'> & { readonly content: Buffer })[]> {
  const ids = email.attachments.flatMap(({ blobId }) => blobId ?? []);
  const rows = await BlobModel.find({ _id: { $in: ids } }).lean<Blob[]>();
  const bytes = new Map(rows.map((row) => [row._id, row.bytes]));
  return email.attachments.map(({ filename, contentType, cid, blobId, key }) => {
    const content = toBuffer(bytes.get(blobId ?? ''), blobId);
    return { filename, contentType, cid, content: key === undefined ? content : decryptBlob(key, content) };
  });
}

function toBuffer(bytes: Buffer | { buffer: Uint8Array } | undefined, blobId: string | null): Buffer {
  if (!bytes) throw new Error(`Attachment ${blobId} is gone`);
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer);
}

/** Returns the content of a message as it was accepted, compiled. */
export const contentOf = (email: Pick<Email, 'contentId' | 'inline'>): CompiledContent | Promise<CompiledContent> =>
  email.inline ? knownContents().compiler.compileForOne(email.inline) : contentById(email.contentId ?? '');

/** All that wait for one reading share its answer, so it must come in bounded time. */
const READ_MS = 10_000;

/** Returns a shared content, compiled. Asked for by many at once, it is read once. */
export function contentById(id: string): CompiledContent | Promise<CompiledContent> {
  const { compiled, loading } = knownContents();
  const known = compiled.get(id) ?? loading.get(id);
  if (known) return known;
  const asked = withinLimit(READ_MS, () => outsideRequests(() => loadContent(id))).finally(() => loading.delete(id));
  loading.set(id, asked);
  return asked;
}

/** Reads the HTML of shared contents; what is not kept any longer is left out. */
export async function htmlOf(ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await ContentModel.find({ _id: { $in: [...ids] } }, { html: 1 }).lean<Pick<Content, 'html'>[]>();
  return rows.flatMap(({ html }) => html ?? []);
}

/** Shared content is not kept any longer. */
export class ContentGone extends Error {
  override readonly name = 'ContentGone';
}

async function loadContent(id: string): Promise<CompiledContent> {
  const source = await ContentModel.findById(id).lean<Content>();
  if (!source) throw new ContentGone(`Content ${id} is gone`);
  const { compiled, compiler } = knownContents();
  const content = compiler.compile(source);
  compiled.set(id, content, { size: 1_000 + textsOfContent(source).reduce((sum, text) => sum + (text?.length ?? 0), 0) });
  return content;
}

/** Returns what is left of attachments whose bytes are not kept. */
const withoutBytes = (attachments: readonly AttachmentRef[]): readonly AttachmentRef[] =>
  attachments
    .filter(({ given }) => given === undefined)
    .map(({ filename, contentType, size }) => ({ filename, contentType, size, blobId: null }));

/** Returns what changes in a message that is over and whose sender wants nothing kept of what it says; null where there is nothing to change. */
export function contentGoing({ content, attachments }: Pick<Email, 'content' | 'attachments'>): Partial<Email> | null {
  if (content !== 'passing') return null;
  return {
    subject: '',
    inline: null,
    values: '{}',
    headers: null,
    content: 'gone',
    ...(attachments.length > 0 && { attachments: withoutBytes(attachments) }),
  };
}

const ALGORITHM = 'aes-256-gcm';
const TAG_LENGTH = 16;
/** A key encrypts one attachment and nothing else, so that its nonce may be any. */
const NONCE = Buffer.alloc(12);

/** Returns a new key for one attachment, in base64url. */
const newBlobKey = (): string => randomBytes(32).toString('base64url');

/** Encrypts the bytes of an attachment under a key of their own. */
function encryptBlob(key: string, bytes: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, 'base64url'), NONCE);
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the bytes are not what was encrypted under the key. */
function decryptBlob(key: string, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'base64url'), NONCE, { authTagLength: TAG_LENGTH });
  const end = bytes.length - TAG_LENGTH;
  decipher.setAuthTag(bytes.subarray(end));
  return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
}

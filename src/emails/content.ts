import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import mongoose from 'mongoose';
import { compileContent } from '../render';
import type { CompiledContent } from '../render';
import { outsideRequests } from '../request-scope';
import { withinLimit } from '../time-limit';
import { BlobModel, ContentModel } from './content-model';
import type { Blob, Content } from './content-model';
import type { AttachmentRef, Email, InlineContent } from './model';

/** Ids of contents that are known to be stored, and of those that were met, with whom they were met for: what comes again is worth sharing. */
const stored = new LRUCache<string, true>({ max: 20_000 });
const met = new LRUCache<string, string>({ max: 20_000 });

/** Compiled contents by id, within about this many characters of source: a look-up by id is cheaper than the renderer's own by text. */
const COMPILED_CHARACTERS = 4 * 1024 * 1024;
const compiled = new LRUCache<string, CompiledContent>({ maxSize: COMPILED_CHARACTERS });

/** Resolves to false when it is there already. */
const insertOnce = (insert: Promise<unknown>): Promise<boolean> =>
  insert.then(
    () => true,
    (error: unknown) => {
      if (error instanceof mongoose.mongo.MongoServerError && error.code === 11000) return false;
      throw error;
    },
  );

/**
 * Whether this process has met this content before for somebody else; from now on it has met it. What was written for one person is never shared, so that
 * it goes with their messages when they are erased.
 */
export function comesAgain(id: string, address: string): boolean {
  const first = met.get(id);
  if (first === undefined) met.set(id, address);
  return first !== undefined && first !== address;
}

/** Stores shared content under its hash; what is there already is the same. */
export async function storeContent(id: string, projectId: string, { subject, html, text, previewText }: InlineContent): Promise<void> {
  if (stored.has(id)) return;
  await insertOnce(ContentModel.collection.insertOne({ _id: id, projectId, subject, html, text, previewText } as never));
  stored.set(id, true);
}

/** Of more people it is not said whose an attachment is: it was not written for one of them. */
const MOST_OWNERS = 20;

/** Stores an attachment's bytes once for a project, and for whom they are. */
export async function storeAttachment(
  projectId: string,
  attachment: { readonly filename: string; readonly contentType: string; readonly content: Buffer },
  contactIds: readonly string[],
): Promise<AttachmentRef> {
  const { filename, contentType, content } = attachment;
  const blobId = createHash('sha256').update(projectId).update('\0').update(content).digest('base64url');
  const owners = contactIds.length > MOST_OWNERS ? null : contactIds;
  const row = { _id: blobId, projectId, bytes: content, ...(owners && { owners }), usedAt: new Date() };
  while (!(await insertOnce(BlobModel.collection.insertOne(row as never)))) if (await shareBlob(blobId, owners)) break;
  return { filename, contentType, size: content.length, blobId };
}

/** Resolves to false when the blob is gone: its only owner was erased. */
async function shareBlob(blobId: string, owners: readonly string[] | null): Promise<boolean> {
  const room = { $lte: [{ $size: { $setUnion: ['$owners', owners ?? []] } }, MOST_OWNERS] };
  const joined = {
    $cond: [{ $and: [{ $isArray: '$owners' }, owners !== null, room] }, { $setUnion: ['$owners', owners ?? []] }, '$$REMOVE'],
  };
  const filter = { _id: blobId as never };
  return (await BlobModel.collection.updateOne(filter, [{ $set: { owners: joined, usedAt: new Date() } }])).matchedCount === 1;
}

/** The bytes of a message's attachments, in order. */
export async function loadAttachments(
  email: Pick<Email, 'attachments'>,
): Promise<{ filename: string; contentType: string; content: Buffer }[]> {
  const ids = email.attachments.flatMap(({ blobId }) => blobId ?? []);
  const rows = await BlobModel.find({ _id: { $in: ids } }).lean<Blob[]>();
  const bytes = new Map(rows.map((row) => [row._id, row.bytes]));
  return email.attachments.map(({ filename, contentType, blobId }) => ({
    filename,
    contentType,
    content: toBuffer(bytes.get(blobId ?? ''), blobId),
  }));
}

function toBuffer(bytes: Buffer | { buffer: Uint8Array } | undefined, blobId: string | null): Buffer {
  if (!bytes) throw new Error(`Attachment ${blobId} is gone`);
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer);
}

/** The content of a message as it was accepted, compiled. */
export const contentOf = (email: Pick<Email, 'contentId' | 'inline'>): CompiledContent | Promise<CompiledContent> =>
  email.inline ? compileContent(email.inline) : contentById(email.contentId ?? '');

/** Whoever waits for one reading waits for the same answer: it must not stay away for good. */
const READ_MS = 10_000;

/** Contents that are being read. */
const loading = new Map<string, Promise<CompiledContent>>();

/** A shared content, compiled. Asked for by many at once, it is read once. */
export function contentById(id: string): CompiledContent | Promise<CompiledContent> {
  const known = compiled.get(id) ?? loading.get(id);
  if (known) return known;
  const asked = withinLimit(READ_MS, () => outsideRequests(() => loadContent(id))).finally(() => loading.delete(id));
  loading.set(id, asked);
  return asked;
}

async function loadContent(id: string): Promise<CompiledContent> {
  const source = await ContentModel.findById(id).lean<Content>();
  if (!source) throw new Error(`Content ${id} is gone`);
  const content = compileContent(source);
  compiled.set(id, content, { size: 1_000 + source.subject.length + (source.html?.length ?? 0) + (source.text?.length ?? 0) });
  return content;
}

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import mongoose from 'mongoose';
import { compileContent } from '../render';
import type { CompiledContent } from '../render';
import { BlobModel, ContentModel } from './content-model';
import type { Blob, Content } from './content-model';
import type { AttachmentRef, Email, InlineContent } from './model';

const CONTENT_CACHE_BYTES = 32 * 1024 * 1024;

/** Ids of contents that are known to be stored, and of those that were met: what comes again is worth sharing. */
const stored = new LRUCache<string, true>({ max: 20_000 });
const met = new LRUCache<string, true>({ max: 20_000 });

const cache = new LRUCache<string, InlineContent>({
  maxSize: CONTENT_CACHE_BYTES,
  sizeCalculation: ({ subject, html, text }) => 64 + 2 * (subject.length + (html?.length ?? 0) + (text?.length ?? 0)),
});

const insertOnce = async (insert: Promise<unknown>): Promise<void> => {
  await insert.catch((error: unknown) => {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === 11000)) throw error;
  });
};

/** Whether this process has met this content before; from now on it has. */
export function comesAgain(id: string): boolean {
  const again = met.has(id);
  met.set(id, true);
  return again;
}

/** Stores shared content under its hash; what is there already is the same. */
export async function storeContent(id: string, projectId: string, { subject, html, text, previewText }: InlineContent): Promise<void> {
  if (stored.has(id)) return;
  await insertOnce(ContentModel.collection.insertOne({ _id: id, projectId, subject, html, text, previewText } as never));
  stored.set(id, true);
}

/** Stores an attachment's bytes once for a project. */
export async function storeAttachment(
  projectId: string,
  attachment: { readonly filename: string; readonly contentType: string; readonly content: Buffer },
): Promise<AttachmentRef> {
  const { filename, contentType, content } = attachment;
  const blobId = createHash('sha256').update(projectId).update('\0').update(content).digest('base64url');
  await insertOnce(BlobModel.collection.insertOne({ _id: blobId, projectId, bytes: content } as never));
  return { filename, contentType, size: content.length, blobId };
}

/** The bytes of a message's attachments, in order. */
export async function loadAttachments(
  email: Pick<Email, 'attachments'>,
): Promise<{ filename: string; contentType: string; content: Buffer }[]> {
  const rows = await BlobModel.find({ _id: { $in: email.attachments.map(({ blobId }) => blobId) } }).lean<Blob[]>();
  const bytes = new Map(rows.map((row) => [row._id, row.bytes]));
  return email.attachments.map(({ filename, contentType, blobId }) => ({
    filename,
    contentType,
    content: toBuffer(bytes.get(blobId), blobId),
  }));
}

function toBuffer(bytes: Buffer | { buffer: Uint8Array } | undefined, blobId: string): Buffer {
  if (!bytes) throw new Error(`Attachment ${blobId} is gone`);
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer);
}

/** The content of a message as it was accepted, compiled. */
export async function contentOf(email: Pick<Email, 'contentId' | 'inline'>): Promise<CompiledContent> {
  if (email.inline) return compileContent(email.inline);
  const id = email.contentId ?? '';
  const cached = cache.get(id) ?? (await ContentModel.findById(id).lean<Content>());
  if (!cached) throw new Error(`Content ${id} is gone`);
  cache.set(id, cached);
  return compileContent(cached);
}

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

/** Ids of contents that are known to be stored, and of those that were met: what comes again is worth sharing. */
const stored = new LRUCache<string, true>({ max: 20_000 });
const met = new LRUCache<string, true>({ max: 20_000 });

/** Compiled contents by id, within about this many characters of source: a look-up by id is cheaper than the renderer's own by text. */
const COMPILED_CHARACTERS = 4 * 1024 * 1024;
const compiled = new LRUCache<string, CompiledContent>({ maxSize: COMPILED_CHARACTERS });

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

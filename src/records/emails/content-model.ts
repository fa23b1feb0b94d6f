import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { InlineContent } from './parts';

/** Content that several messages share, keyed by a hash of its text, its project and the renderer's version. */
export interface Content extends InlineContent {
  readonly _id: string;
  readonly projectId: string;
  /** When the last message that has it went out or is to go out, within an hour. */
  readonly neededAt: Date;
}

const contentSchema = rowSchema<Content>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  subject: { type: String, default: '' },
  html: { type: String, default: null },
  text: { type: String, default: null },
  previewText: { type: String, default: null },
  brand: { type: Schema.Types.Mixed, default: null },
  verbatim: { type: Boolean },
  constants: { type: Schema.Types.Mixed },
  language: { type: String },
  strings: { type: Schema.Types.Mixed },
  neededAt: { type: Date, required: true },
});
contentSchema.index({ projectId: 1, neededAt: 1 }); // retention: what was not needed for the longest time
export const ContentModel = model<Content>('Content', contentSchema, 'contents');

/** The bytes of an attachment, stored once for all messages of a project that carry it. */
export interface Blob {
  readonly _id: string;
  readonly projectId: string;
  readonly bytes: Buffer;
  /** Contacts that it was sent to, also if the contact does not exist; absent where they are many. */
  readonly owners?: readonly string[];
  readonly usedAt?: Date;
  /** Last use, as of a content. */
  readonly neededAt: Date;
}

const blobSchema = rowSchema<Blob>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  bytes: { type: Buffer, required: true },
  owners: { type: [String], default: undefined },
  usedAt: { type: Date },
  neededAt: { type: Date, required: true },
});
blobSchema.index({ projectId: 1, neededAt: 1 }); // retention: what was not needed for the longest time
export const BlobModel = model<Blob>('Blob', blobSchema, 'blobs');

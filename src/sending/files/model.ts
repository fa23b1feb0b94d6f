import { model, rowSchema } from '../../platform/mongo';
import { PICTURE_TYPES } from './picture';
import type { Picture } from './picture';

/** A picture of a project, as mail shows it. Its id is a hash of its project and its content: the same content is the same file. */
export interface StoredFile extends Picture {
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  readonly bytes: number;
  /** The `FileBlob` with its content. */
  readonly blobId: string;
  readonly createdAt: Date;
}

const fileSchema = rowSchema<StoredFile>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  name: { type: String, required: true },
  contentType: { type: String, enum: PICTURE_TYPES, required: true },
  width: { type: Number, required: true },
  height: { type: Number, required: true },
  bytes: { type: Number, required: true },
  blobId: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
fileSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's files, newest first
fileSchema.index({ projectId: 1, bytes: 1 }); // how many they are, and how large together
export const FileModel = model<StoredFile>('File', fileSchema, 'files');

/** The content of one upload. It is written before the file and removed after it: what no file has is removed by the retention sweep. */
export interface FileBlob {
  readonly _id: string;
  readonly projectId: string;
  /** Whether a file has it. */
  readonly attached: boolean;
  /** When it was written, or left by its file. */
  readonly at: Date;
  /** Set where `FILES_URL` has the content, under `<project>/<id>`. */
  readonly outside?: boolean;
  readonly content?: Buffer;
}

const blobSchema = rowSchema<FileBlob>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  attached: { type: Boolean, required: true },
  at: { type: Date, required: true },
  outside: { type: Boolean },
  content: { type: Buffer },
});
blobSchema.index({ at: 1 }, { partialFilterExpression: { attached: false } }); // retention: what no file has
blobSchema.index({ projectId: 1 }); // removal of a project
export const FileBlobModel = model<FileBlob>('FileBlob', blobSchema, 'file_blobs');

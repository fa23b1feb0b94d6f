import { model, rowSchema } from '../../platform/mongo';

/** Blocks that a project saved under a name. Mail gets a copy of them: a later change of theirs changes no mail. */
export interface SavedBlocks {
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  /** JSON text of the list of blocks, stored as given. */
  readonly blocks: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const savedBlocksSchema = rowSchema<SavedBlocks>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  name: { type: String, required: true },
  blocks: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
savedBlocksSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's blocks, newest first
export const SavedBlocksModel = model<SavedBlocks>('SavedBlocks', savedBlocksSchema, 'saved_blocks');

import { Schema, model } from 'mongoose';

/** When a key was last used. Apart from its project, which every request reads. */
export interface KeyUse {
  /** Hash of the key. */
  readonly _id: string;
  readonly usedAt: Date;
}

const keyUseSchema = new Schema<KeyUse>(
  { _id: { type: String, required: true }, usedAt: { type: Date, required: true } },
  { strict: 'throw', versionKey: false },
);

export const KeyUseModel = model<KeyUse>('KeyUse', keyUseSchema, 'key_uses');

import { model, rowSchema } from '../../platform/mongo';

const KEPT_DAYS = 400;

/** When a key was last used. Apart from its project, which every request reads. */
export interface KeyUse {
  /** Hash of the key. */
  readonly _id: string;
  readonly usedAt: Date;
}

const keyUseSchema = rowSchema<KeyUse>({ _id: { type: String, required: true }, usedAt: { type: Date, required: true } });
keyUseSchema.index({ usedAt: 1 }, { expireAfterSeconds: KEPT_DAYS * 86_400 }); // also of keys that are gone

export const KeyUseModel = model<KeyUse>('KeyUse', keyUseSchema, 'key_uses');

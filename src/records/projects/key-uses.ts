import { Windows } from '../../platform/limits';
import type { Logger } from '../../platform/log';
import { model, rowSchema } from '../../platform/mongo';

const KEPT_DAYS = 400;

/** When a key was last used. Apart from its project, which every request reads. */
interface KeyUse {
  /** Hash of the key. */
  readonly _id: string;
  readonly usedAt: Date;
}

const keyUseSchema = rowSchema<KeyUse>({ _id: { type: String, required: true }, usedAt: { type: Date, required: true } });
keyUseSchema.index({ usedAt: 1 }, { expireAfterSeconds: KEPT_DAYS * 86_400 }); // also of keys that are gone

export const KeyUseModel = model<KeyUse>('KeyUse', keyUseSchema, 'key_uses');

/** So exact is the last use of a key. */
const EVERY_MS = 60_000;
const KEYS = 10_000;

/** Writes down when keys are used: each at most once a minute, and no request waits for it. */
export class KeyUses {
  private readonly noted = new Windows({ most: 1, windowMs: EVERY_MS, keys: KEYS });

  constructor(private readonly log: Logger) {}

  /** Notes that the key with this hash is used now. */
  note(keyHash: string): void {
    if (!this.noted.take(keyHash)) return;
    write(keyHash, new Date()).catch((error: unknown) => this.log.warn({ err: error }, 'The last use of a key was not stored'));
  }
}

async function write(keyHash: string, usedAt: Date): Promise<void> {
  await KeyUseModel.collection.updateOne({ _id: keyHash }, { $max: { usedAt } }, { upsert: true, writeConcern: { w: 1 } });
}

/** Finds when each of these keys was last used, by hash, without unused ones. */
export async function lastUses(keyHashes: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const uses = await KeyUseModel.find({ _id: { $in: [...keyHashes] } }).lean<KeyUse[]>();
  return new Map(uses.map(({ _id, usedAt }) => [_id, usedAt]));
}

/** Forgets when these keys were last used. */
export async function forgetUses(keyHashes: readonly string[]): Promise<void> {
  if (keyHashes.length > 0) await KeyUseModel.deleteMany({ _id: { $in: [...keyHashes] } });
}

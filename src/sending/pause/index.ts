import { databaseNow, readSeldom } from '../../platform/mongo';
import { PauseModel } from './model';
import type { Pause } from './model';

/** Every process knows of a pause within this time. */
const KNOWN_MS = 1_000;

const pause = readSeldom(KNOWN_MS, () => PauseModel.findById('pause').lean<Pause>());

/** The pause that an operator ordered; null while mail is sent. Read each second at most. */
export const currentPause = pause.current;

/** Forgets what was read. */
export const forgetPause = pause.forget;

/** Pauses sending. A second call replaces the reason, and keeps the start of the pause. */
export async function pauseSending(reason: string | null): Promise<void> {
  await PauseModel.updateOne({ _id: 'pause' }, { $set: { reason }, $setOnInsert: { since: await databaseNow() } }, { upsert: true });
  forgetPause();
}

/** Lets mail go out again. Resolves to whether it was paused. */
export async function resumeSending(): Promise<boolean> {
  const { deletedCount } = await PauseModel.deleteOne({ _id: 'pause' });
  forgetPause();
  return deletedCount > 0;
}

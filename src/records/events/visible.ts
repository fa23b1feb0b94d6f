import { databaseNow } from '../../platform/mongo';

/** Events received this long ago are committed: a transaction lives a minute at most. */
const VISIBLE_AFTER_MS = 90_000;

/** Resolves to the instant up to which every event that was received is stored: none with an earlier receipt comes any more. */
export const visibleUpTo = async (): Promise<Date> => new Date((await databaseNow()).getTime() - VISIBLE_AFTER_MS);

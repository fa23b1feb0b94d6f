import { Sequence } from '../batch';
import { perDatabase } from './per-database';

/** What writes the same rows of the database. */
export const writers = perDatabase(() => new Sequence());

/**
 * Runs work with the same key one after another within this process. Transactions that collide are repeated, so many writers of one document
 * would spend their time on that; between processes it is still the database that decides.
 */
export const inSequence = <T>(key: string, work: () => Promise<T>): Promise<T> => writers().run([key], work);

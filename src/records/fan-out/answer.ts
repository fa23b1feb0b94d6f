import { withinLimit } from '../../platform/async';

/** A run whose database does not answer ends; the workflow tries again. */
export const answer = <T>(work: () => Promise<T>): Promise<T> => withinLimit(20_000, work);

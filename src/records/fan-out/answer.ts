import { withinLimit } from '../../platform/async';

/** Ends a run whose database does not answer; the workflow tries again. */
export const answer = <T>(work: () => Promise<T>): Promise<T> => withinLimit(20_000, work);

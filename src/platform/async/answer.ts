import { withinLimit } from './time-limit';

const ANSWER_MS = 20_000;

/** Waits for the database as long as a run may, and rejects then: the run ends, and its workflow tries again. */
export const answer = <T>(work: () => Promise<T>): Promise<T> => withinLimit(ANSWER_MS, work);

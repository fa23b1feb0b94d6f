/*
 * Fairness: what one key, such as a project, does at the same time, so that a crowd of it holds nobody else up.
 *
 * A room says who is to be fair to whom, and how much goes at once:
 *
 *   const leave = await new FairQueue({ most: 16, spare: 48 }).take(projectId);
 *
 * - `FairQueue`: places that keys share. A key alone has all; with others, who has the fewest is next.
 * - `Bursts`: what a crowd begins, begins together, so that its work shares batches (`platform/batch`).
 * - `Breaker`: what fails again and again is left alone for a while, and then tried.
 *
 * All of it is in the memory of a process: what waits in a queue is also in the database, in Temporal, or held by a caller that tries again, so a process that
 * is killed loses no work, only its order.
 */
export { Breaker } from './breaker';
export type { BreakerTimes, Verdict } from './breaker';
export { Bursts, CROWD } from './bursts';
export { FairQueue } from './fair-queue';

/*
 * Limits: how much passes in a time. A room says whose limit it is, and how high.
 *
 * - `takeAll`: windows that all processes share, in the database, for what is rare and must not be multiplied by processes: sign-ins, public events.
 * - `Windows`: the same in the memory of a process, for what costs less than a write: hosts of inbound mail, reminders, uses of keys.
 * - `awaitLargeWork`: large work goes one piece at a time.
 *
 * Token buckets are in their rooms, and share what they tell (`Refill` in `platform/core`). Sends (`sending/accept/rate.ts`) draw for many requests in one
 * write, and put back what was refused. Keys (`records/projects/key-rates.ts`) lease units to processes, so that a request asks the database nothing.
 *
 * A failover may give back what the last writes took: limits wait for no majority. A window in memory begins again with its process.
 */
export { awaitLargeWork } from './large-work';
export { takeAll } from './limits';
export { Windows } from './windows';

/** Mail that came composed, and goes out with its own bytes. */
export { composeGiven } from './compose';
export { prepareGiven } from './head';
export type { GivenFault } from './head';

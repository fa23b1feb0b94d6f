export { describeFailure } from './log-failure';
export { createLogger } from './log';
export type { Logger } from './log';

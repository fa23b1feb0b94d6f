export { spamScore } from './check';
export type { SpamScore } from './check';

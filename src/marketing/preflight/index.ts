export { preflight } from './preflight';
export type { Preflight } from './preflight';

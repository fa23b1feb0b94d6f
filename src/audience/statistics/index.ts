export { readStats } from './service';
export type { Stats } from './service';

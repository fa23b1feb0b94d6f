export { UPCOMING_KINDS } from './sources';
export type { Upcoming } from './sources';
export { listUpcoming } from './upcoming';

export { UPCOMING_KINDS, listUpcoming } from './upcoming';
export type { Upcoming } from './upcoming';

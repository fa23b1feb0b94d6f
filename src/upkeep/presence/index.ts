export { standingStill } from './standing-still';
export { watchPresence } from './presence';

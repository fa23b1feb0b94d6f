export { readFeed } from './read';
export type { SeenFeed } from './read';

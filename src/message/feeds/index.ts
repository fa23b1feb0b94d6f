export { itemOf, shortened, FeedFault, parseFeed } from './item';
export type { Entry, Feed } from './item';

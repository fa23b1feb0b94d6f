export { itemOf, shortened } from './item';
export { FeedFault, parseFeed } from './parse';
export type { Entry, Feed } from './parse';

export type { ProjectRemoval } from './service';
export { beginRemoval, isRemovalOver, readRemoval } from './service';
export { continueRemoval } from './continue';

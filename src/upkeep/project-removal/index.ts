export type { ProjectRemoval } from './model';
export { beginRemoval, isRemovalOver, readRemoval } from './service';
export { continueRemoval } from './continue';

export { storedDataOf } from './stored-data';
export type { Erasure } from './model';
export { resealAddresses, begin, getErasure, isErasureOver } from './service';
export { continueErasure } from './continue';

export { storedDataOf } from './stored-data';
export type { Erasure } from './service';
export { resealAddresses, begin, getErasure, isErasureOver } from './service';
export { continueErasure } from './continue';

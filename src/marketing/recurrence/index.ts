export { scheduleFault } from './faults';
export { instantsAfter } from './instants';

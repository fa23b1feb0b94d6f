export { scheduleFault, instantsAfter } from './instants';

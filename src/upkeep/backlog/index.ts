export { BacklogReader } from './reader';
export { waitingFor } from './read';

export { BacklogReader } from './reader';

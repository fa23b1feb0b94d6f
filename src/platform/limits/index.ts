export { awaitLargeWork } from './large-work';
export { takeAll } from './limits';

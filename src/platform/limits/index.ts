export { turnFor } from './large-work';
export { takeAll } from './limits';

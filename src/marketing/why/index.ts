export { whyOf } from './why';
export type { Why } from './answer';

export type { Consumer } from './consumers';
export { FanOutHost } from './host';
export { wakeOverdueFanOut } from './sweep';

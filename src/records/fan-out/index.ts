export type { Consumer } from './host';
export { FanOutHost, wakeOverdueFanOut } from './host';

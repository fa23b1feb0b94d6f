export { CannotStart } from './cannot-start';
export { endWith, listenAt } from './listen';
export { stopSignal, unhandledError } from './stop-signal';

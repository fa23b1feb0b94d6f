export { CannotStart } from './cannot-start';
export { endWith, listenAt, portTaken } from './listen';
export { stopSignal, unhandledError } from './stop-signal';

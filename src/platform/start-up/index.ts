export { CannotStart } from './cannot-start';
export { endWith, listenAt, portTaken } from './listen';
export { stopSignal } from './stop-signal';

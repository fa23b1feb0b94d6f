export { callOut } from './call';
export type { Answered, Call } from './call';
export { CallGate } from './gate';
export type { Callee, Pass } from './gate';
export { readDocument } from './document';
export { urlFault, urlFaultNow } from './url';

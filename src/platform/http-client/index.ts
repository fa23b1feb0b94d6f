export { callOut, download } from './call';
export type { Answered, Call } from './call';
export { CallGate } from './gate';
export type { Callee, Pass } from './gate';
export { urlFault, urlFaultNow } from './url';

export type { Answered, Call } from './call';
export { callOut, MOST_REDIRECTS, redirectOf } from './call';
export type { Document } from './document';
export { readDocument } from './document';
export type { Callee, Permit } from './gate';
export { CallGate } from './gate';
export { urlFault, urlFaultNow } from './addresses';

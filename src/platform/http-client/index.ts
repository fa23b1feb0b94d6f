export type { Answered, Call } from './call';
export { callOut } from './call';
export type { Document } from './document';
export { readDocument } from './document';
export type { Callee, Permit } from './gate';
export { CallGate } from './gate';
export { MOST_REDIRECTS, redirectOf } from './redirect';
export { urlFault, urlFaultNow } from './url';

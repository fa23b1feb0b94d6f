export { checkHolds } from './check';
export { heldBack, withoutRefused, watchOf } from './hold-back';
export { holdFor, noteRefusals, withoutAddresses, holdsOf, howToEnd, releaseHolds } from './note';
export type { ProviderHold } from './model';
export type { ProviderWatch } from './hold-back';

export { checkHolds } from './check';
export { heldBack, withoutRefused } from './hold-back';
export { holdFor, noteRefusals, withoutAddresses, holdsOf, howToEnd, releaseHolds } from './note';
export type { ProviderHold } from './model';
export { watchOf } from './watch';
export type { ProviderWatch } from './watch';

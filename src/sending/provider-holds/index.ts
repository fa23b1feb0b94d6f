export { checkHolds } from './check';
export { heldBack, withoutRefused } from './hold-back';
export { holdsOf, howToEnd, releaseHolds } from './holds';
export { holdFor, noteRefusals, withoutAddresses } from './note';
export type { ProviderHold } from './model';
export { watchOf } from './watch';
export type { ProviderWatch } from './watch';

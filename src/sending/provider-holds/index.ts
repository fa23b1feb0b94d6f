export { checkHolds } from './check';
export { heldBack, withoutRefused } from './hold-back';
export { holdsOf, releaseHolds } from './holds';
export { holdFor, noteRefusals, withoutAddresses } from './note';
export { watchOf } from './watch';
export type { ProviderWatch } from './watch';

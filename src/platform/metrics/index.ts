export { declarationOf } from './declare';
export type { Metered } from './declare';
export { CONTENT_TYPE, expositionOf, sampled } from './exposition';
export { EVERYWHERE, metrics } from './metrics';

export { CAMPAIGN_WORK } from './work';
export { specimenOf } from './specimen';
export type { Specimen } from './specimen';

export { CAMPAIGN_WORK } from './work';
export { specimenOf } from './mail';
export type { Specimen } from './mail';

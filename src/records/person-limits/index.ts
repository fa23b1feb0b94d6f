export { LimitBook } from './book';
export type { Limited, RehearsedPlace } from './book';
export { eraseLimits } from './erase';
export { skippedInCampaigns } from './hooks';
export type { Rowless } from './hooks';

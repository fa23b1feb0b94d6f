export { SUPPRESSION_REASONS } from './model';
export type { Suppression, SuppressionReason, SuppressionSource } from './model';
export {
  addSuppression,
  eraseFromSuppressions,
  findSuppression,
  findSuppressions,
  forgetOptOut,
  holdsOptOut,
  liftSuppression,
  listSuppressions,
  suppress,
  suppressAll,
  suppressionId,
  suppressionsOfContacts,
  suppressionsOfMany,
} from './service';
export { suppressionIds } from './walk';

export { SUPPRESSION_REASONS } from './model';
export type { Suppression, SuppressionReason, SuppressionSource } from './model';
export type { NewSuppression } from './service';
export {
  addSuppression,
  eraseFromSuppressions,
  findSuppression,
  findSuppressions,
  forgetOptOut,
  holdsOptOut,
  importSuppressions,
  liftSuppression,
  listSuppressions,
  noteSuppression,
  suppress,
  suppressAll,
  suppressMany,
  suppressionId,
  suppressionsOfContacts,
  suppressionsOfMany,
} from './service';
export { suppressionIds } from './walk';

export { confirmOptIn, optInAt, onFormConfirmed } from './confirm';
export type { ShownOptIn } from './confirm';
export { contextOf } from './mail';
export { CONFIRM_BY } from './model';
export type { ConfirmBy } from './model';
export { requestOptIn, requireTopics } from './request';
export type { OptInOutcome, Visitor } from './request';
export { isOptInOver, checkOptIn, removeOptIns } from './check-opt-in';

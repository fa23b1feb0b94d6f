export { confirmOptIn, optInAt } from './confirm';
export type { ShownOptIn } from './confirm';
export { CONFIRM_BY } from './model';
export type { ConfirmBy, OptIn } from './model';
export { requestOptIn, requireTopics } from './request';
export type { OptInOutcome, OptInRequest, Visitor } from './request';
export { isOptInOver, optInTurn, removeOptIns } from './turn';

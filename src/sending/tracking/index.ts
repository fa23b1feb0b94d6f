export { clientKey, machineReason } from './machine';
export type { HitKind } from './machine';
export type { Reader } from './opt-in';
export { isOwnAct, readerOf, subscribeAgain } from './opt-in';
export { leave, noteWithdrawal, optOutOf, viewOf, leaveByMail, topicOfMail, undoByMail } from './opt-out';
export { forgetTrails, HitRecorder } from './record';

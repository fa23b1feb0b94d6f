export { clientKey, machineReason } from './machine';
export type { HitKind } from './machine';
export type { Reader } from './opt-in';
export { isOwnAct, readerOf, subscribeAgain } from './opt-in';
export { leave, noteWithdrawal, optOutOf } from './opt-out';
export { leaveByMail, topicOfMail, undoByMail } from './topic-opt-out';
export { forgetTrails } from './record';
export { HitRecorder } from './recorder';
export { viewOf } from './view';

export { acceptSend } from './accept';
export { prepareAutomationMail, rehearseAutomationMail } from './automation-mail';
export type { AutomationMail } from './automation-mail';
export { cancelEmail, cancelScheduled, cancelWaitingFrom } from './cancel';
export { hashContent, inlineFaults } from './draft';
export { takeUnits } from './limits';
export { SPECIMEN } from './recipients';
export { replaySend } from './replay';
export type { SendMessage, SendOutcome, SendRequest } from './types';

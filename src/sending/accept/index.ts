export { prepareAutomationMail, rehearseAutomationMail } from './automation-mail';
export type { AutomationMail } from './automation-mail';
export { cancelEmail, cancelScheduled } from './cancel';
export { hashContent, inlineFaults } from './draft';
export { SPECIMEN } from './prepare';
export { acceptSend, replaySend } from './service';
export { takeUnits } from './throttled';
export type { SendMessage, SendOutcome, SendRequest } from './types';

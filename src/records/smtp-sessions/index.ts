export { listSessions, recordSession } from './service';
export type { SmtpSession } from './service';

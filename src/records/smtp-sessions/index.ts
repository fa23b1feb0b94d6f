export { keepSession, listSessions } from './service';
export type { SmtpSession } from './service';

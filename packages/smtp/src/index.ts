export { SmtpConnection } from './connection';
export type { SmtpOptions } from './connection';
export type { SmtpObserver, SmtpTimeouts } from './session';
export { StreamRoom } from './stream';
export type { MailFeed, StreamedMail } from './stream';
export type { Envelope, SmtpOutcome, SmtpReply } from './transaction';
export { parseSmtpUrl } from './url';
export type { SmtpRoute } from './url';

export { SmtpConnection } from './connection';
export type { SmtpOptions } from './connection';
export { StreamRoom } from './feed';
export type { FedMail, MailFeed } from './feed';
export type { SmtpObserver, SmtpTimeouts } from './session';
export type { Envelope, SmtpOutcome, SmtpReply } from './transaction';
export { parseSmtpUrl } from './url';
export type { SmtpRoute } from './url';

export { SmtpConnection } from './smtp-client';
export type { SmtpOptions } from './smtp-client';
export type { SmtpTimeouts } from './smtp-session';
export { StreamRoom } from './smtp-stream';
export type { MailFeed, StreamedMail } from './smtp-stream';
export { toWireData } from './smtp-transaction';
export type { Envelope, SmtpOutcome, SmtpReply } from './smtp-transaction';
export { parseSmtpUrl } from './smtp-url';
export type { SmtpRoute } from './smtp-url';

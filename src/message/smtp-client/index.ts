export { SmtpConnection } from './smtp-client';
export type { SmtpOptions } from './smtp-client';
export type { Envelope, SmtpOutcome } from './smtp-outcome';
export type { SmtpReply } from './smtp-reply';
export type { SmtpTimeouts } from './smtp-session';
export { StreamRoom } from './smtp-stream';
export type { MailFeed, StreamedMail } from './smtp-stream';
export { parseSmtpUrl } from './smtp-url';
export type { SmtpRoute } from './smtp-url';

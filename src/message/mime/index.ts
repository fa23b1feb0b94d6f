export { CONTENT_TYPE, boundaryFor, composeMail, textBody, textPart } from './mime';
export { mailboxField, mailboxesField, renderFields, textField } from './headers';
export type { HeaderField } from './headers';
export { MailBytes, MailScratch } from './mail-bytes';
export type { OutgoingMail } from './mime';
export { FixedText, textOf } from './pieces';
export type { Piece, Pieces } from './pieces';

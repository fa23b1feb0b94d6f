export { CONTENT_TYPE } from './content-type';
export { mailboxField, mailboxesField, renderFields, textField } from './headers';
export type { HeaderField } from './headers';
export { MailBytes, MailScratch } from './mail-bytes';
export { boundaryFor, composeMail, textBody, textPart } from './mime';
export type { OutgoingMail } from './mime';
export { FixedText, textOf } from './pieces';
export type { Piece, Pieces } from './pieces';

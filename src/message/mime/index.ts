export { AlikeMail } from './alike-mail';
export type { OwnMail } from './alike-mail';
export { renderFields } from './headers';
export type { HeaderField } from './headers';
export { MailBytes, MailScratch } from './mail-bytes';
export { composeMail, composePlainMail } from './mime';
export type { OutgoingMail, TextualMail } from './mime';
export { FixedText, textOf } from './pieces';
export type { Piece, Pieces } from './pieces';

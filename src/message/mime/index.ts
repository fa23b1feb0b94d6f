export { envelopeFault } from './address';
export { AlikeMail } from './alike-mail';
export { FixedText, textOf } from './fixed-text';
export type { Piece, Pieces } from './fixed-text';
export type { HeaderField } from './headers';
export { MailBytes, MailScratch } from './mail-bytes';
export { composeMail, composePlainMail } from './mime';
export type { PlainMail } from './mime';

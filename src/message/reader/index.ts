export { decodeHtml } from './charset';
export { readMail, readMailboxes } from './mail';
export type { ReadMail, ReadPart } from './mail';
export { textPartsIn } from './tree';
export type { TextPart } from './tree';
export { decodeField, oneLine } from './words';

export { decodeHtml } from './charset';
export { readMail, readMailboxes } from './mail';
export type { ReadMail, ReadPart } from './mail';
export { oneLine } from './one-line';
export { textPartsIn } from './text-parts';
export type { TextPart } from './text-parts';
export { decodeField } from './words';

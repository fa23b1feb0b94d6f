export { decodeHtml } from './charset';
export { readMail } from './mail';
export type { ReadMail, ReadPart } from './mail';

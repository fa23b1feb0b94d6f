import { oneLine } from '../../message/reader';
import type { ReadMail, ReadPart } from '../../message/reader';
import type { ReceivedAttachment } from '../../sending/inbound';

const SUBJECT_LENGTH = 998;
const NAME_LENGTH = 200;
const FILENAME_LENGTH = 255;
const MOST_FILES = 100;

/** A message as far as it is read. */
export type ParsedMail = ReadMail;

/** Returns the first field of a name, as it was written. */
export const fieldOf = ({ fields }: Pick<ParsedMail, 'fields'>, name: string): string | null =>
  fields.find(([key]) => key === name)?.[1] ?? null;

/** Returns the ids of messages that a field of a mail names. */
export const idsIn = (mail: ParsedMail, field: string): readonly string[] => fieldOf(mail, field)?.match(/<[^<>\s]{1,250}>/g) ?? [];

/** Returns the subject of a mail as it is stored. */
export const subjectOf = ({ subject }: ParsedMail): string => oneLine(subject, SUBJECT_LENGTH);

/** Returns the name of its author as it is stored. */
export const authorNameOf = ({ author }: ParsedMail): string => oneLine(author.name, NAME_LENGTH);

/** Returns its files as they are stored. */
export const filesOf = ({ parts }: ParsedMail): readonly ReceivedAttachment[] => parts.slice(0, MOST_FILES).map(fileOf);

const fileOf = ({ contentType, filename, size, bytes }: ReadPart, index: number): ReceivedAttachment => ({
  filename: oneLine((filename ?? '').replace(/^.*[/\\]/s, ''), FILENAME_LENGTH) || `attachment-${index + 1}`,
  contentType: /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(contentType) ? contentType : 'application/octet-stream',
  size,
  // What comes from the thread is no Buffer any more.
  content: bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

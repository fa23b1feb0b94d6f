import type { ReadMail, ReadPart } from '../../message/reader';

/** A message as far as it is looked into. */
export type ParsedMail = ReadMail;
export type ParsedPart = ReadPart;

/** The first field of a name, as it was written. */
export const fieldOf = ({ fields }: Pick<ParsedMail, 'fields'>, name: string): string | null =>
  fields.find(([key]) => key === name)?.[1] ?? null;

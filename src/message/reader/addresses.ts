import addressparser from 'nodemailer/lib/addressparser';
import { fieldIn } from './head';
import type { Field } from './head';
import { decodeField } from './words';

export interface Mailbox {
  readonly address: string;
  readonly name: string;
}

/** Longer than the addresses of any author; what reads them takes time by the square of the length. */
const MOST_LENGTH = 8_192;

type Parsed = ReturnType<typeof addressparser>[number];

const mailboxesIn = (parsed: readonly Parsed[]): readonly Mailbox[] =>
  parsed.flatMap((entry) => ('group' in entry && entry.group ? mailboxesIn(entry.group) : [mailboxOf(entry as Mailbox)]));

/** Some software encodes the address together with the name. */
function mailboxOf({ address, name }: Mailbox): Mailbox {
  const decoded = { address: decodeField(address), name: decodeField(name) };
  if (decoded.address !== '') return decoded;
  const [, before = '', inside = ''] = /^([^<>]*)<([^<>\s]+@[^<>\s]+)>\s*$/.exec(decoded.name) ?? [];
  return inside === '' ? decoded : { address: inside, name: before.trim().replace(/^"(.*)"$/, '$1') };
}

/** Returns the mailboxes of the first field of a name, those of groups too; null where it is too long to be honest. */
export function mailboxesOf(fields: readonly Field[], name: string): readonly Mailbox[] | null {
  const value = fieldIn(fields, name) ?? '';
  return value.length > MOST_LENGTH ? null : mailboxesIn(addressparser(value));
}

import type { HeaderField } from '../mime';
import { asciiField, fieldOf, headAt, renderHead } from './head';
import type { GivenField } from './head';

/** Why a message cannot be taken as it came. */
export type GivenFault = 'bare_line_break' | 'long_line' | 'bad_head' | 'bad_address' | 'nul';

const [NUL, LF, CR] = [0x00, 0x0a, 0x0d];
/** RFC 5322 2.1.1. */
const LONGEST_LINE = 998;

/** Returns what of the lines of a message no server may hand on: a line break that is not CRLF ends a message for some servers and not for others. */
function faultOfLines(bytes: Buffer): GivenFault | null {
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === NUL) return 'nul';
    if (byte !== CR && byte !== LF) continue;
    if (byte === LF || bytes[at + 1] !== LF) return 'bare_line_break';
    if (at - from > LONGEST_LINE) return 'long_line';
    from = at + 2;
    at++;
  }
  return bytes.length - from > LONGEST_LINE ? 'long_line' : null;
}

interface Preparation {
  /** Names of fields that go, in lower case; one that ends in `-` stands for all that begin so. */
  readonly without: readonly string[];
  /** Fields that are added, each where the message has none of the name. */
  readonly missing: readonly HeaderField[];
}

interface Prepared {
  readonly bytes: Buffer;
  readonly isEightBit: boolean;
}

/** Returns a message as it is stored: its bytes, but for the fields that go or are missing, and with a head in ASCII. */
export function prepareGiven(bytes: Buffer, { without, missing }: Preparation): Prepared | GivenFault {
  const fault = faultOfLines(bytes);
  if (fault) return fault;
  const head = headAt(bytes);
  if (!head) return 'bad_head';
  const goes = (name: string): boolean => without.some((each) => (each.endsWith('-') ? name.startsWith(each) : name === each));
  const names = new Set(head.fields.map(({ name }) => name.toLowerCase()));
  const added = missing.filter(({ name }) => !names.has(name.toLowerCase())).map(fieldOf);
  const kept = head.fields.filter(({ name }) => !goes(name.toLowerCase())).map(asciiField);
  if (kept.includes(null)) return 'bad_address';
  const body = bytes.subarray(head.bodyAt);
  const written = Buffer.from(renderHead([...added, ...(kept as readonly GivenField[])]), 'latin1');
  return { bytes: Buffer.concat([written, body]), isEightBit: body.some((byte) => byte > 0x7f) };
}

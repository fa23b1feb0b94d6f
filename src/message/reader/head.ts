export interface Field {
  /** In lower case. */
  readonly name: string;
  /** Unfolded, with a letter for each byte. */
  readonly value: string;
}

export interface Head {
  readonly fields: readonly Field[];
  /** Offset of the content after the head. */
  readonly end: number;
}

const FIELD = /^([!-9;-~]{1,200})[ \t]*:/;
const FOLDED = /^[ \t]/;
/** Nothing, or the line that mailboxes have before each message. */
const BEFORE_HEAD = /^$|^>?From /;
const EXAMINED = 300;
const LF = 0x0a;

/** Returns the first field of a name. */
export const fieldIn = (fields: readonly Field[], name: string): string | null =>
  fields.find((field) => field.name === name)?.value ?? null;

interface Bounds {
  readonly start: number;
  readonly end: number;
  readonly mostBytes: number;
  /** The head of the message, of which no line that is no field is the first of the text. */
  readonly isOutermost: boolean;
  /** Whether the line that begins there ends the part. */
  readonly isDelimiter: (at: number) => boolean;
}

/** Reads the head of a message or a part. Throws for one that is too long. */
export function readHead(bytes: Buffer, bounds: Bounds): Head {
  const { start, end, mostBytes, isDelimiter } = bounds;
  const lines: string[] = [];
  for (let at = start; ;) {
    if (at >= end || isDelimiter(at)) return { fields: fieldsOf(lines), end: at };
    if (at - start > mostBytes) throw new Error('The head is too long');
    const next = endOfLine(bytes, at, end);
    const line = lineAt(bytes, at, Math.min(next, at + mostBytes));
    const kind = kindOf(line, lines.length === 0, bounds.isOutermost, () => beginsField(bytes, next));
    if (kind === 'end' || kind === 'text') return { fields: fieldsOf(lines), end: kind === 'end' ? next : at };
    if (kind === 'field') lines.push(line);
    at = next;
  }
}

/**
 * The kind of a line in a head. Before the first field of a message, empty lines and a mailbox's separator line are ignored if a field
 * follows.
 */
type Kind = 'field' | 'end' | 'text' | 'nothing';

function kindOf(line: string, isFirst: boolean, isOutermost: boolean, isFieldNext: () => boolean): Kind {
  if (FIELD.test(line)) return 'field';
  if (isFirst) return isOutermost && BEFORE_HEAD.test(line) && isFieldNext() ? 'nothing' : endOr('text', line);
  return FOLDED.test(line) ? 'field' : endOr(isOutermost ? 'nothing' : 'text', line);
}

const endOr = (kind: Kind, line: string): Kind => (line === '' ? 'end' : kind);

const lineAt = (bytes: Buffer, at: number, end: number): string =>
  bytes
    .toString('latin1', at, end)
    .replace(/\r*\n?$/, '')
    .replaceAll('\0', '');

/** Returns where the next line begins. */
function endOfLine(bytes: Buffer, at: number, end: number): number {
  const found = bytes.indexOf(LF, at);
  return found === -1 || found >= end ? end : found + 1;
}

const beginsField = (bytes: Buffer, at: number): boolean => FIELD.test(bytes.toString('latin1', at, at + EXAMINED).trimStart());

function fieldsOf(lines: readonly string[]): readonly Field[] {
  const whole: string[][] = [];
  for (const line of lines) {
    if (FOLDED.test(line)) whole.at(-1)?.push(line.trim());
    else whole.push([line]);
  }
  return whole.map((pieces) => {
    const text = pieces.join(' ');
    const colon = text.indexOf(':');
    return { name: text.slice(0, colon).trim().toLowerCase(), value: text.slice(colon + 1).trim() };
  });
}

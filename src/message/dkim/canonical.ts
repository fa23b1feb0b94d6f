import type { HeaderField } from '../mime';

const CRLF = Buffer.from('\r\n');
const EMPTY = Buffer.alloc(0);
const BLANK = 0x20;
const TAB = 0x09;
const CR = 0x0d;
const LF = 0x0a;

/** Converts a field to the relaxed form of RFC 6376 3.4.2, without its CRLF. */
export function relaxHeader(field: HeaderField): string {
  return `${field.name.toLowerCase()}:${field.value.replace(/[ \t\r\n]+/g, ' ').trim()}`;
}

/**
 * Converts a CRLF body to the relaxed form of RFC 6376 3.4.4: runs of blanks become one space, none ends a line, and one CRLF ends the body. The result may
 * share the memory of the body.
 */
export function relaxBody(body: Buffer): Buffer {
  const relaxed = relaxLines(body);
  let end = relaxed.length;
  while (end >= 2 && relaxed[end - 2] === CR && relaxed[end - 1] === LF) end -= 2;
  if (end === 0) return EMPTY;
  const ended = relaxed.subarray(0, end + 2);
  return ended[end] === CR && ended[end + 1] === LF ? ended : Buffer.concat([relaxed.subarray(0, end), CRLF]);
}

/** Converts whole lines that end in CRLF to the relaxed form; those at the end that are empty stay. */
export function relaxLines(lines: Buffer): Buffer {
  const collapsed = needsCollapse(lines) ? collapse(lines) : lines;
  return collapsed.at(-1) === BLANK ? collapsed.subarray(0, -1) : collapsed;
}

/** Checks each byte once: spaces are so frequent that a native search for two of them stops at each. */
function needsCollapse(body: Buffer): boolean {
  let isBlank = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === TAB || (isBlank && (byte === BLANK || byte === CR))) return true;
    isBlank = byte === BLANK;
  }
  return false;
}

function collapse(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length);
  let length = 0;
  let isBlank = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === BLANK || byte === TAB) {
      isBlank = true;
      continue;
    }
    if (isBlank && !(byte === CR && body[at + 1] === LF)) out[length++] = BLANK;
    isBlank = false;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

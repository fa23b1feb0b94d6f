import type { HeaderField } from './headers';

const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const CRLF = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);

/** A field in the relaxed form of RFC 6376 3.4.2, without its CRLF. */
export function relaxHeader(field: HeaderField): string {
  return `${field.name.toLowerCase()}:${field.value.replace(/[ \t\r\n]+/g, ' ').trim()}`;
}

/** A CRLF body in the relaxed form of RFC 6376 3.4.4: runs of blanks become one space, none ends a line, and one CRLF ends the body. */
export function relaxBody(body: Buffer): Buffer {
  const collapsed = needsCollapse(body) ? collapseBlanks(body) : body;
  let end = collapsed.length;
  while (end >= 2 && collapsed[end - 1] === 0x0a && collapsed[end - 2] === CR) end -= 2;
  if (end === 0) return NOTHING;
  return end + 2 <= collapsed.length ? collapsed.subarray(0, end + 2) : Buffer.concat([collapsed.subarray(0, end), CRLF]);
}

function needsCollapse(body: Buffer): boolean {
  return body.includes('  ') || body.includes(TAB) || body.includes(' \r\n') || body.at(-1) === SPACE;
}

function collapseBlanks(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length);
  let at = 0;
  let blank = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index]!;
    if (byte === SPACE || byte === TAB) {
      blank = true;
      continue;
    }
    if (blank && byte !== CR) out[at++] = SPACE;
    blank = false;
    out[at++] = byte;
  }
  return out.subarray(0, at);
}

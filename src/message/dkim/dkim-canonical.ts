import type { HeaderField } from '../mime';

const CRLF = '\r\n';

/** Converts a field to the relaxed form of RFC 6376 3.4.2, without its CRLF. */
export function relaxHeader(field: HeaderField): string {
  return `${field.name.toLowerCase()}:${field.value.replace(/[ \t\r\n]+/g, ' ').trim()}`;
}

/** Converts a CRLF body to the relaxed form of RFC 6376 3.4.4: runs of blanks become one space, none ends a line, and one CRLF ends the body. */
export function relaxBody(body: string): string {
  const collapsed = needsCollapse(body) ? body.replace(/[ \t]+/g, ' ').replaceAll(' \r\n', CRLF) : body;
  let end = collapsed.endsWith(' ') ? collapsed.length - 1 : collapsed.length;
  while (end >= 2 && collapsed.startsWith(CRLF, end - 2)) end -= 2;
  return end === 0 ? '' : collapsed.slice(0, end) + CRLF;
}

const needsCollapse = (body: string): boolean => body.includes('  ') || body.includes('\t') || body.includes(' \r\n');

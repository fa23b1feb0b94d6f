const CRLF = '\r\n';
const CRLF_DOT = '\r\n.';

/** A message up to this size is one piece; a longer one goes in several, so that its encoded form is never in memory as a whole. */
const PIECE = 64 * 1024;

export interface WireData {
  /** All pieces but the last. */
  readonly before: readonly string[];
  readonly last: string;
  /** The end of the data (RFC 5321 4.1.1.4), to go out in one write with `last`. */
  readonly end: string;
}

/** Encodes a message for the wire after DATA, dot-stuffed (RFC 5321 4.5.2). `message` has CRLF line ends. */
export function toWireData(message: string): WireData {
  const data = stuffed(message);
  const before: string[] = [];
  let from = 0;
  // A CRLF at the end is half of the end of the data.
  while (data.length - from > PIECE + CRLF.length) {
    before.push(data.slice(from, from + PIECE));
    from += PIECE;
  }
  const last = from === 0 ? data : data.slice(from);
  return {
    before,
    last,
    end: data === '' || data.endsWith(CRLF) ? '.\r\n' : '\r\n.\r\n',
  };
}

function stuffed(message: string): string {
  const within = message.includes(CRLF_DOT) ? message.replaceAll(CRLF_DOT, `${CRLF_DOT}.`) : message;
  return within.startsWith('.') ? `.${within}` : within;
}

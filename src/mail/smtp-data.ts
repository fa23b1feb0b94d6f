const CRLF_DOT = Buffer.from('\r\n.');
const DOT = 0x2e;
const END = Buffer.from('.\r\n');
const END_AFTER_OPEN_LINE = Buffer.from('\r\n.\r\n');

/** What of the end goes out together: a piece that holds any of `CRLF . CRLF` holds all of it. */
const TERMINATOR_LENGTH = END_AFTER_OPEN_LINE.length;
/** A message up to this size is one write; a longer one goes in pieces, so that it never waits in memory as a whole. */
const PIECE = 64 * 1024;

/** The message as it goes over the wire after DATA: dot-stuffed (RFC 5321 4.5.2) and with its end. `message` has CRLF line ends. */
export function toWireData(message: Buffer): Buffer {
  const end = message.length === 0 || message.subarray(-2).equals(END.subarray(1)) ? END : END_AFTER_OPEN_LINE;
  const pieces: Buffer[] = [];
  let from = 0;
  if (message[0] === DOT) pieces.push(END.subarray(0, 1));
  for (let found = message.indexOf(CRLF_DOT); found !== -1; found = message.indexOf(CRLF_DOT, found + 2)) {
    pieces.push(message.subarray(from, found + 3));
    from = found + 2;
  }
  pieces.push(message.subarray(from), end);
  return Buffer.concat(pieces);
}

/** Cuts wire data into pieces to be written one after the other; only the last one has anything of the terminator in it. */
export function cutWireData(data: Buffer): { readonly before: readonly Buffer[]; readonly last: Buffer } {
  const before: Buffer[] = [];
  let from = 0;
  while (data.length - from > PIECE + TERMINATOR_LENGTH) {
    before.push(data.subarray(from, from + PIECE));
    from += PIECE;
  }
  return { before, last: data.subarray(from) };
}

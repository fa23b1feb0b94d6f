import { createHash } from 'node:crypto';
import { relaxLines } from './canonical';

export type Form = 'simple' | 'relaxed';

/** A body in one of its canonical forms (RFC 6376 3.4). */
export interface CanonicalBody {
  readonly length: number;
  /** SHA-256, in base64. */
  readonly hash: string;
}

const [CR, LF] = [0x0d, 0x0a];
const PIECE = 1_048_576;
const BREAKS = Buffer.from('\r\n'.repeat(4_096));

/** Cuts a body between lines, so that no copy of the whole of it is ever made. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length;) {
    const found = body.indexOf(LF, Math.min(at + PIECE, body.length));
    const end = found === -1 ? body.length : found + 1;
    yield body.subarray(at, end);
    at = end;
  }
}

/** Makes full line breaks of those that have been changed on the way to a LF alone. */
function withFullBreaks(piece: Buffer): Buffer {
  let bare = 0;
  for (let at = 0; at < piece.length; at++) if (piece[at] === LF && piece[at - 1] !== CR) bare++;
  if (bare === 0) return piece;
  const whole = Buffer.allocUnsafe(piece.length + bare);
  let length = 0;
  for (let at = 0; at < piece.length; at++) {
    if (piece[at] === LF && piece[at - 1] !== CR) whole[length++] = CR;
    whole[length++] = piece[at]!;
  }
  return whole;
}

function withoutLastBreaks(piece: Buffer): Buffer {
  let end = piece.length;
  while (end >= 2 && piece[end - 2] === CR && piece[end - 1] === LF) end -= 2;
  return piece.subarray(0, end);
}

/** Puts a body in canonical form, and hashes it on the way. */
export function bodyOf(body: Buffer, form: Form): CanonicalBody {
  const hash = createHash('sha256');
  let [length, pending] = [0, 0];
  const add = (bytes: Buffer): void => {
    hash.update(bytes);
    length += bytes.length;
  };
  for (const piece of piecesOf(body)) {
    const whole = withFullBreaks(piece);
    const canonical = form === 'relaxed' ? relaxLines(whole) : whole;
    const content = withoutLastBreaks(canonical);
    if (content.length > 0) {
      for (; pending > 0; pending -= Math.min(pending, BREAKS.length)) add(BREAKS.subarray(0, Math.min(pending, BREAKS.length)));
      add(content);
    }
    pending += canonical.length - content.length;
  }
  if (length > 0 || form === 'simple') add(BREAKS.subarray(0, 2));
  return { length, hash: hash.digest('base64') };
}

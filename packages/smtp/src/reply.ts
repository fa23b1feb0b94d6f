/** One whole reply of a server; every line without its code. */
export interface ServerReply {
  readonly code: number;
  readonly lines: readonly string[];
}

const MAXIMUM_REPLY = 64 * 1024;
/** A pipelined group has four replies; a server that sends more unasked is cut off. */
const MAXIMUM_WAITING = 16;
const LF = 0x0a;
const CR = 0x0d;

/** The server sent something that is not SMTP; the connection cannot be used any more. */
class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Cuts a byte stream into replies (RFC 5321 4.2) and keeps them until they are taken. Holds at most 64 KiB of an unfinished reply. */
export class ReplyReader {
  private readonly waiting: ServerReply[] = [];
  private unfinished: Buffer[] = [];
  private lines: string[] = [];
  private code = 0;
  private size = 0;
  /** The latest bytes and their replies: a server sends the same for most messages, which then need no parsing. */
  private known: { readonly bytes: Buffer; readonly replies: readonly ServerReply[] } | null = null;

  /** Takes received bytes; the chunk may be overwritten afterwards. Throws ProtocolError on anything that is no reply, is longer than 64 KiB, or is unrequested. */
  push(chunk: Buffer): void {
    const isWhole = this.size === 0 && chunk[chunk.length - 1] === LF;
    if (isWhole && this.known?.bytes.equals(chunk) === true) return this.repeat(this.known.replies);
    const before = this.waiting.length;
    this.read(chunk);
    if (isWhole && this.size === 0) this.known = { bytes: Buffer.from(chunk), replies: this.waiting.slice(before) };
  }

  private repeat(replies: readonly ServerReply[]): void {
    for (const reply of replies) this.waiting.push(reply);
    this.refuseUnasked();
  }

  private read(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      this.grow(end + 1 - from);
      this.takeLine(this.joined(chunk.subarray(from, end)));
      from = end + 1;
    }
    if (from === chunk.length) return;
    this.grow(chunk.length - from);
    this.unfinished.push(Buffer.from(chunk.subarray(from)));
  }

  get length(): number {
    return this.waiting.length;
  }

  /** True when no reply, and no part of one, waits to be taken. */
  get quiet(): boolean {
    return this.waiting.length === 0 && this.size === 0;
  }

  shift(): ServerReply | undefined {
    return this.waiting.shift();
  }

  /** Drops everything: plain text that an attacker injected must not be taken for a reply under TLS. */
  clear(): void {
    this.waiting.length = 0;
    this.startReply();
  }

  private joined(end: Buffer): Buffer {
    if (this.unfinished.length === 0) return end;
    const line = Buffer.concat([...this.unfinished, end]);
    this.unfinished = [];
    return line;
  }

  private grow(bytes: number): void {
    this.size += bytes;
    if (this.size > MAXIMUM_REPLY) throw new ProtocolError('a reply is longer than 64 KiB');
  }

  private takeLine(line: Buffer): void {
    const length = line.length > 0 && line[line.length - 1] === CR ? line.length - 1 : line.length;
    const code = readCode(line, length);
    if (this.lines.length > 0 && code !== this.code) throw new ProtocolError('a reply changes its code from line to line');
    this.code = code;
    this.lines.push(line.toString('utf8', 4, Math.max(length, 4)));
    if (length > 3 && line[3] === 0x2d) return;
    this.waiting.push({ code, lines: this.lines });
    this.startReply();
    this.refuseUnasked();
  }

  private refuseUnasked(): void {
    if (this.waiting.length > MAXIMUM_WAITING) throw new ProtocolError('the server sends replies that nothing asked for');
  }

  private startReply(): void {
    this.unfinished = [];
    this.lines = [];
    this.size = 0;
  }
}

function readCode(line: Buffer, length: number): number {
  const start = line.toString('latin1', 0, Math.min(length, 4));
  if (!/^[2-5]\d\d(?:[ -]|$)/.test(start)) throw new ProtocolError('the server sent something that is not an SMTP reply');
  return Number(start.slice(0, 3));
}

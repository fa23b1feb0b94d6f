import { openEnd } from './fixed-text';
import type { FixedText, Pieces } from './fixed-text';
import type { MailBytes } from './mail-bytes';
import { LINE } from './quoted-printable';

const SOFT_BREAK = '=\r\n';
/** Printable characters that need no encoding, with single spaces inside and before. */
const AS_IT_IS = /^ ?[!-<>-~]+(?: [!-<>-~]+)*$/;
const BLANK = ' ';
const DOT = '.';

/** Writes one body: copies pieces that are in every message, and encodes the others between them. */
class BodyWriter {
  private column = 0;
  /** The open end of the last piece. */
  private held = '';

  constructor(private readonly out: MailBytes) {}

  write(pieces: Pieces): void {
    for (const piece of pieces) {
      if (typeof piece !== 'string') this.copy(piece);
      else if (piece !== '') this.join(piece);
    }
    if (this.held !== '') this.encode(this.held);
  }

  /** Copies an encoded text. Where its first line does not fit on the current one, a soft line break precedes it. */
  private copy({ text, wire }: FixedText): void {
    if (text === '') return;
    if (this.held !== '') {
      if (this.held !== BLANK || text <= BLANK) return this.join(text);
      this.stand(BLANK);
    }
    if (this.column > 0 && this.column + wire.first > LINE) this.breakLine();
    this.out.copy(wire.encoded);
    this.column = wire.isOneLine ? this.column + wire.last : wire.last;
    this.held = wire.open;
  }

  private join(piece: string): void {
    const text = this.held + piece;
    this.held = openEnd(text);
    const closed = this.held === '' ? text : text.slice(0, -1);
    if (AS_IT_IS.test(closed)) this.stand(closed);
    else if (closed !== '') this.encode(closed);
  }

  /** Writes text that needs no encoding, in as many lines as it takes; only a dot at the beginning of a line is encoded. */
  private stand(text: string): void {
    let from = 0;
    while (this.column + text.length - from > LINE) {
      const to = from + LINE - this.column;
      if (this.isLeadingDot(text, from)) return this.encode(text.slice(from));
      this.out.text(text.slice(from, to));
      this.breakLine();
      from = to;
    }
    if (this.isLeadingDot(text, from)) return this.encode(text.slice(from));
    this.out.text(from === 0 ? text : text.slice(from));
    this.column += text.length - from;
  }

  private isLeadingDot(text: string, at: number): boolean {
    return this.column === 0 && text[at] === DOT;
  }

  private encode(text: string): void {
    this.column = this.out.encode(text, this.column);
  }

  private breakLine(): void {
    this.out.text(SOFT_BREAK);
    this.column = 0;
  }
}

/**
 * Writes a body in quoted-printable (RFC 2045 6.7) from the beginning of a line on: lines of at most 76 characters that end in CRLF and never begin with a
 * dot. A reader gets the text that the pieces make up, with every CR, LF and CRLF as one line break and without NULs, wherever the pieces are cut.
 */
export const encodePieces = (pieces: Pieces, out: MailBytes): void => new BodyWriter(out).write(pieces);

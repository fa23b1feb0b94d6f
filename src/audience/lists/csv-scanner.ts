import { isUtf8 } from 'node:buffer';
import { splitCells } from './csv-cells';

/** The longest cell, in bytes of what it says: as much as all of a contact's data may be. */
export const MAX_CELL_BYTES = 32_768;
/** The longest row, in bytes as written; the most that a contact can hold is far from it. */
const MAX_ROW_BYTES = 1_048_576;

export const CSV_FAULTS = {
  encoding: 'The row is not UTF-8',
  cell: 'A cell is longer than 32 KiB',
  row: 'The row is longer than 1 MiB',
  quotes: 'Text follows a closing quotation mark',
  unclosed: 'A quotation mark is opened and never closed: all that follows was read as part of this row',
} as const;

/** A row of a file, with its number. */
export interface CsvRow {
  /** The readable cells of a row with a fault. */
  readonly cells: readonly string[];
  readonly fault: keyof typeof CSV_FAULTS | null;
  /** Offset in the file just past the row: where the next one begins. */
  readonly end: number;
}

/**
 * Position of the scanner in a cell: before its first byte, in bare text, in quotes, past a quotation mark that may be doubled, or after
 * the closing one.
 */
const BEGIN = 0;
const BARE = 1;
const QUOTED = 2;
const CLOSED = 3;
const BEHIND = 4;
const STATE = 7;

/** Flags of a byte in addition to the next state. */
const CELL_ENDS = 8;
const ROW_ENDS = 16;
const MARK = 24;
const STRAY = 32;

const OTHER = 0;
const QUOTE = 1;
const DELIMITER = 2;
const LINE_END = 3;
const BLANK = 4;

/**
 * Transitions by state, then by kind of byte (RFC 4180 §2; a quotation mark within bare text is text, and blanks around quotation marks are
 * skipped).
 */
const TRANSITIONS = Uint8Array.from(
  [
    [BARE, QUOTED | MARK, BEGIN | CELL_ENDS, BEGIN | ROW_ENDS, BEGIN],
    [BARE, BARE, BEGIN | CELL_ENDS, BEGIN | ROW_ENDS, BARE],
    [QUOTED, CLOSED | MARK, QUOTED, QUOTED, QUOTED],
    [BARE | STRAY, QUOTED, BEGIN | CELL_ENDS, BEGIN | ROW_ENDS, BEHIND],
    [BARE | STRAY, BARE | STRAY, BEGIN | CELL_ENDS, BEGIN | ROW_ENDS, BEHIND],
  ].flatMap((row) => [...row, 0, 0, 0]),
);

function kindsFor(delimiter: string): Uint8Array {
  const kinds = new Uint8Array(256).fill(OTHER);
  kinds[0x22] = QUOTE;
  kinds[0x20] = kinds[0x09] = BLANK;
  kinds[delimiter.charCodeAt(0)] = DELIMITER;
  kinds[0x0d] = kinds[0x0a] = LINE_END;
  return kinds;
}

/**
 * Finds the rows of a CSV file in chunks of bytes; rows end in CR, LF or CRLF, and empty lines do not count. It works on bytes because the
 * importer resumes at byte offsets and must recognize rows that are not UTF-8. Its memory is bounded by a row's limit, however long a cell
 * is.
 */
export class CsvScanner {
  private readonly kinds: Uint8Array;
  private state = BEGIN;
  private fault: CsvRow['fault'] = null;
  /** The row so far, from earlier pieces. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  /** Offset in the file where the cell begins, and how many of its bytes are quotation marks around or within. */
  private cellStart: number;
  private marks = 0;

  /** `offset`: where in the file the first piece begins, at a row's beginning. */
  constructor(
    private readonly delimiter: string,
    private offset: number,
  ) {
    this.kinds = kindsFor(delimiter);
    this.cellStart = offset;
  }

  /**
   * Yields the rows that end in this piece, each read when it is taken: thousands that wait would outlive the young generation. The
   * caller reads them to the end.
   */
  *push(piece: Buffer): Generator<CsvRow> {
    const { kinds } = this;
    let { state } = this;
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const transition = TRANSITIONS[(state << 3) | (kinds[piece[at] as number] as number)] as number;
      state = transition & STATE;
      if (transition < CELL_ENDS) continue;
      this.act(transition & ~STATE, at);
      if ((transition & ~STATE) !== ROW_ENDS) continue;
      const row = this.take(piece.subarray(from, at), this.offset + at + 1);
      from = at + 1;
      if (row) yield row;
    }
    this.state = state;
    this.hold(piece, from);
    this.offset += piece.length;
  }

  /** Yields the last row, when the file does not end in a line end. */
  *end(): Generator<CsvRow> {
    if (this.state === QUOTED) this.fault ??= 'unclosed';
    this.checkCell(this.offset);
    const row = this.take(Buffer.alloc(0), this.offset);
    if (row) yield row;
  }

  private act(action: number, at: number): void {
    if (action === MARK) {
      this.marks++;
    } else if (action === STRAY) {
      this.fault ??= 'quotes';
    } else {
      this.checkCell(this.offset + at);
      this.cellStart = this.offset + at + 1;
      this.marks = 0;
    }
  }

  private checkCell(end: number): void {
    if (end - this.cellStart - this.marks > MAX_CELL_BYTES) this.fault = tooLong(this.fault) ? this.fault : 'cell';
  }

  /** Returns the row that ends here, or null for an empty line. */
  private take(rest: Buffer, end: number): CsvRow | null {
    if (this.heldBytes + rest.length > MAX_ROW_BYTES) this.fault ??= 'row';
    const bytes = this.held.length === 0 ? rest : Buffer.concat(tooLong(this.fault) ? this.held : [...this.held, rest]);
    const fault = this.fault ?? (isUtf8(bytes) ? null : 'encoding');
    this.fault = null;
    this.held = [];
    this.heldBytes = 0;
    return bytes.length > 0 || fault !== null ? { cells: splitCells(bytes.toString(), this.delimiter), fault, end } : null;
  }

  /** Keeps what there is of an unfinished row. Of one that is too long the beginning is kept, to show whose row it was, and the rest is passed over. */
  private hold(piece: Buffer, from: number): void {
    const seen = this.offset + piece.length;
    if (tooLong(this.fault) && this.held.length > 0) return;
    this.checkCell(seen);
    const until = this.fault === 'cell' ? Math.max(from, this.cellStart - this.offset) : piece.length;
    if (until <= from && this.fault !== 'cell') return;
    if (this.heldBytes + until - from > MAX_ROW_BYTES) {
      this.fault = 'row';
      return;
    }
    this.held.push(Buffer.from(piece.subarray(from, until)));
    this.heldBytes += until - from;
  }
}

const tooLong = (fault: CsvRow['fault']): boolean => fault === 'cell' || fault === 'row';

import { cutText } from '../../../../src/rules/cut-text.ts';
import { ApiError, api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ADDRESS_HEADERS, normal, rowsOf } from '../../parts/read-csv.ts';
import type { FoundColumn } from '../../parts/read-csv.ts';
import { reasonIn } from './reasons.ts';
import type { Reason } from './reasons.ts';

type Suppression = Schemas['ImportSuppressionsRequest']['suppressions'][number];

/** The columns of a file by their positions, -1 for none, and the reason of rows that name none. */
export interface Mapping {
  readonly email: number;
  readonly reason: number;
  readonly note: number;
  readonly otherwise: Reason;
}

/** A row of a file, with the line in which it begins. */
interface Row {
  readonly line: number;
  readonly suppression: Suppression;
}

/** A row that was not imported, and why. */
export interface Rejected {
  readonly line: number;
  readonly email: string;
  readonly message: string;
}

/** Rows of a file to import, and those that cannot be. */
export interface ReadRows {
  readonly rows: readonly Row[];
  readonly rejected: readonly Rejected[];
  /** Number of notes that were cut at the longest that the API takes. */
  readonly cutNotes: number;
}

/** Length of the longest note that the API takes. */
export const NOTE_LENGTH = 500;

/** Returns the probable columns of a file. */
export function guessed(columns: readonly FoundColumn[]): Mapping {
  const find = (...names: readonly string[]): number => columns.findIndex(({ header }) => names.includes(normal(header)));
  return {
    email: find(...ADDRESS_HEADERS, 'recipient'),
    reason: find('reason', 'type'),
    note: find('note', 'notes', 'comment'),
    otherwise: 'manual',
  };
}

/** Returns a cell as it was before an export kept spreadsheets from calculating it. */
const original = (cell: string): string => cell.trim().replace(/^'(?=[=+@-])/, '');

/** Returns the rows of a CSV text below its header. */
export function readRows(text: string, { email, reason, note, otherwise }: Mapping): ReadRows {
  const [rows, rejected]: [Row[], Rejected[]] = [[], []];
  let [isHeader, cutNotes] = [true, 0];
  for (const { line, cells } of rowsOf(text)) {
    const cell = (at: number): string => original(cells[at] ?? '');
    const named = cell(reason);
    const read = named === '' ? otherwise : reasonIn(named);
    const noted = cutText(cell(note), NOTE_LENGTH);
    if (isHeader) isHeader = false;
    else if (read === undefined) rejected.push({ line, email: cell(email), message: `Unknown reason “${named}”` });
    else {
      rows.push({ line, suppression: { email: cell(email), reason: read, ...(noted !== '' && { note: noted }) } });
      if (noted !== cell(note)) cutNotes += 1;
    }
  }
  return { rows, rejected, cutNotes };
}

/** Rows of one request. */
export const PAGE = 500;
const RETRIES = 5;

/** The result of one request. */
interface Sent {
  readonly added: number;
  readonly unchanged: number;
  readonly rejected: readonly Rejected[];
}

/** Imports a page of rows, without those that the API rejects. Repeating it changes nothing. */
export async function sendRows(rows: readonly Row[]): Promise<Sent> {
  if (rows.length === 0) return { added: 0, unchanged: 0, rejected: [] };
  try {
    const { added, unchanged } = await api.importSuppressions(
      { suppressions: rows.map((row) => row.suppression) },
      { maxRetries: RETRIES },
    );
    return { added, unchanged, rejected: [] };
  } catch (error) {
    const faults = faultsIn(error);
    if (faults.size === 0) throw error;
    const rejected = rows.flatMap(({ line, suppression: { email } }, at) => {
      const message = faults.get(at);
      return message === undefined ? [] : [{ line, email, message }];
    });
    const rest = await sendRows(rows.filter((_, at) => !faults.has(at)));
    return { ...rest, rejected: [...rejected, ...rest.rejected] };
  }
}

/** Returns what is wrong with single rows, by their positions in the request. */
function faultsIn(error: unknown): ReadonlyMap<number, string> {
  const faults = new Map<number, string>();
  for (const { path, message } of error instanceof ApiError ? error.details : []) {
    const at = /^suppressions\.(\d+)\./.exec(path)?.[1];
    if (at !== undefined && !faults.has(Number(at))) faults.set(Number(at), message);
  }
  return faults;
}

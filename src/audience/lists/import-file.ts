import type mongoose from 'mongoose';
import { CsvScanner } from './csv-scanner';
import type { CsvRow } from './csv-scanner';
import { RowSet } from './import-duplicates';
import { ImportPieceModel } from './import-model';
import type { ContactImport, ImportPiece, ImportPosition } from './import-model';
import { sha256 } from '../../platform/core';
import { readRow } from './import-row';

const PIECE_BYTES = 256 * 1024;

const pieceId = (importId: string, number: number): string => `${importId}:${String(number).padStart(6, '0')}`;
const supersededId = (importId: string): string => `${importId}:superseded`;

/** The file of an import is not there, or not whole. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

/** Writes a file piece by piece as it comes; `write` resolves once what was given is stored, so that the sender is held back. */
export class FileWriter {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private pieces = 0;
  bytes = 0;

  constructor(private readonly importId: string) {}

  async write(chunk: Buffer): Promise<void> {
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    this.bytes += chunk.length;
    if (this.waitingBytes < PIECE_BYTES) return;
    const all = Buffer.concat(this.waiting);
    const whole = all.length - (all.length % PIECE_BYTES);
    for (let from = 0; from < whole; from += PIECE_BYTES) await this.store(all.subarray(from, from + PIECE_BYTES));
    this.waiting = [all.subarray(whole)];
    this.waitingBytes = all.length - whole;
  }

  async end(): Promise<void> {
    if (this.waitingBytes > 0) await this.store(Buffer.concat(this.waiting));
  }

  private async store(content: Buffer): Promise<void> {
    const piece: ImportPiece = { _id: pieceId(this.importId, this.pieces++), content, createdAt: new Date() };
    await ImportPieceModel.collection.insertOne(piece);
  }
}

async function contentOf(_id: string): Promise<Buffer | null> {
  const piece = await ImportPieceModel.collection.findOne<{ content: mongoose.mongo.Binary }>({ _id });
  return piece && Buffer.from(piece.content.buffer);
}

interface RowsOfPiece {
  /** To be read to the end, and once. */
  readonly rows: Iterable<CsvRow>;
  /** True for those that end the file. */
  readonly last: boolean;
}

/** Yields the rows of a file from a row's beginning on, as many at a time as end in one stored piece. Throws `FileGone`. */
export async function* rowsFrom(
  { _id, bytes, delimiter }: Pick<ContactImport, '_id' | 'bytes' | 'delimiter'>,
  { offset }: Pick<ImportPosition, 'offset'>,
): AsyncGenerator<RowsOfPiece> {
  const scanner = new CsvScanner(delimiter, offset);
  for (let at = offset; at < bytes;) {
    const number = Math.floor(at / PIECE_BYTES);
    const start = number * PIECE_BYTES;
    const content = await contentOf(pieceId(_id, number));
    if (content?.length !== Math.min(PIECE_BYTES, bytes - start)) throw new FileGone();
    yield { rows: scanner.push(content.subarray(at - start)), last: false };
    at = start + content.length;
  }
  yield { rows: scanner.end(), last: true };
}

/** Stores which rows are superseded. Repeated after a crash, it writes the same. */
export async function saveSuperseded(importId: string, rows: RowSet): Promise<void> {
  const bytes = rows.bytes();
  if (bytes === null) return;
  const content = { content: Buffer.from(bytes), createdAt: new Date() };
  await ImportPieceModel.collection.replaceOne({ _id: supersededId(importId) }, content, { upsert: true });
}

/** Loads the rows of a file that a later one with the same address replaces; none where that was not stored. */
export async function loadSuperseded(importId: string): Promise<RowSet> {
  const content = await contentOf(supersededId(importId));
  return content ? RowSet.from(content) : RowSet.empty();
}

/** Deletes a file with its pieces. Safe to repeat. */
export async function deleteFile(importId: string): Promise<void> {
  await ImportPieceModel.collection.deleteMany({ _id: { $gte: `${importId}:`, $lt: `${importId};` } });
}

/** The content of a file that is to be imported. */
interface ImportSurvey {
  /** Each address once. */
  readonly emails: readonly string[];
  /** Rows that cannot be used. */
  readonly unusable: number;
  /** A hash of its rows. */
  readonly hash: string;
  /** There are more rows, which were not read. */
  readonly isLonger: boolean;
}

/** Reads the file of a job to its end. It reads `most` rows at most. Resolves to null where the file is gone. */
export async function surveyImport(job: ContactImport, most: number): Promise<ImportSurvey | null> {
  const emails = new Set<string>();
  let [unusable, row, hash] = [0, 0, sha256(JSON.stringify(job.columns))];
  try {
    for await (const { rows } of rowsFrom(job, job.position)) {
      for (const each of rows) {
        if (++row > most) return { emails: [...emails], unusable, hash, isLonger: true };
        hash = sha256(JSON.stringify([hash, each.cells]));
        const { email, message } = readRow(job.columns, each);
        if (message === null && email !== null) emails.add(email);
        else unusable++;
      }
    }
  } catch (error) {
    if (error instanceof FileGone) return null;
    throw error;
  }
  return { emails: [...emails], unusable, hash, isLonger: false };
}

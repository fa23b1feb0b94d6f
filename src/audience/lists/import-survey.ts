import { sha256 } from '../../platform/core';
import { FileGone, rowsFrom } from './import-file';
import type { ContactImport } from './import-model';
import { readRow } from './import-row';

/** The content of a file that is to be imported. */
export interface ImportSurvey {
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

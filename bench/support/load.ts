import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');

/** The result of a load of requests; times in milliseconds. */
export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  /** 97.5 of a hundred take no longer. */
  readonly p97: number;
  readonly p99: number;
  readonly failed: number;
}

export type LoadMode = 'single' | 'batch' | 'event';

/** Puts a server under load from a process of its own, with 50 connections (4 for batches) unless given. Throws when a request fails. */
export async function load(url: string, key: string, mode: LoadMode, seconds: number, connections?: number): Promise<Load> {
  const args = [path.join(ROOT, 'src/run.cjs'), path.join(ROOT, 'bench/load.ts'), url, key, mode, String(seconds)];
  if (connections !== undefined) args.push(String(connections));
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const result = JSON.parse(stdout) as Load;
  if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
  return result;
}

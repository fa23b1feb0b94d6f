import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { SENDER } from './message';

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

/** `single` messages share one content with values; each `own` message has its own content. */
export type LoadMode = 'single' | 'own' | 'batch' | 'event';

/** Puts a server under load from a process of its own, with 50 connections (4 for batches) unless given. Throws when a request fails. */
export async function load(
  url: string,
  key: string,
  mode: LoadMode,
  seconds: number,
  connections: number = mode === 'batch' ? 4 : 50,
  from = SENDER,
): Promise<Load> {
  return measured('bench/load.ts', [url, key, mode, String(seconds), String(connections), from]);
}

/** Hands mail in by SMTP over 50 connections, from a process of its own. Throws when a message is refused. */
export const submissionLoad = (port: number, key: string, seconds: number): Promise<Load> =>
  measured('bench/submission-load.ts', [String(port), key, String(seconds)]);

async function measured(file: string, args: readonly string[]): Promise<Load> {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(ROOT, 'src/run.cjs'), path.join(ROOT, file), ...args]);
  const result = JSON.parse(stdout) as Load;
  if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
  return result;
}

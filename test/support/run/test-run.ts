import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** In the environment of all that a run starts: the run's folder for the data of servers. */
const RUN = 'JEST_RUN_DATA';
const GUARD = path.join(__dirname, 'guard.cjs');
const MEMORY_DISK = '/dev/shm';
const ROOM_BYTES = 8 * 2 ** 30;

/** Whether a disk in memory has room for the servers' data: on it, tests do not wait for a disk. */
function memoryDiskHasRoom(): boolean {
  try {
    accessSync(MEMORY_DISK, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

/**
 * Begins a run: all temporary files go into folders of its own, and a guard removes these and every process of the run when it ends or is broken off. Returns
 * what ends it.
 */
export function beginRun(): () => Promise<void> {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'lettermill-run-'));
  const data = memoryDiskHasRoom() ? mkdtempSync(path.join(MEMORY_DISK, 'lettermill-run-')) : path.join(temporary, 'data');
  mkdirSync(data, { recursive: true });
  // In a group of its own, so that Ctrl-C does not reach it.
  const guard = spawn(process.execPath, [GUARD, `${RUN}=${data}`, temporary, data], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  process.env[RUN] = data;
  process.env['TMPDIR'] = temporary;
  return async () => {
    guard.ref();
    const ended = once(guard, 'exit');
    guard.stdin.end();
    await ended;
  };
}

/** A fresh folder for the data of servers that live no longer than the tests. */
export function scratchDir(name: string): string {
  const data = process.env[RUN];
  if (data === undefined) throw new Error('No run has begun');
  return mkdtempSync(path.join(data, `${name}-`));
}

/** Returns the environment of a process that gets no other variables: it belongs to the run. */
export const ofTheRun = (): Readonly<Record<string, string>> => ({ [RUN]: process.env[RUN] ?? '', TMPDIR: os.tmpdir() });

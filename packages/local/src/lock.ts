import { renameSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { createFile, readIfThere, replaceFile } from './files';
import { processBirth } from './os-processes';

const LockText = z.object({ pid: z.number().int(), birth: z.string(), stopping: z.boolean() });

/** The holder of a lock. `stopping` means that it will be free soon. */
export type LockHolder = Readonly<z.infer<typeof LockText>>;

/** A lock that this process holds. */
export interface Lock {
  /** Tells processes that want the lock that it will be free soon. */
  announceStop(): void;
  release(): void;
}

function readHolder(text: string): LockHolder | null {
  try {
    return LockText.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const isAlive = (holder: LockHolder | null): holder is LockHolder => holder !== null && processBirth(holder.pid) === holder.birth;

/** Moves a dead process's lock out of the way; when another one took it over meanwhile, its lock is put back. */
function clearStale(file: string, staleText: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const text = readIfThere(aside);
  rmSync(aside, { force: true });
  if (text !== null && text !== staleText) createFile(file, text);
}

/**
 * Takes the lock that `file` represents, or returns who holds it. The lock of a process that is gone, killed or crashed, is taken over:
 * a process is known by its number and the instant of its start, so a number that is used again does not count.
 */
export function takeLock(file: string): Lock | LockHolder {
  const mine: LockHolder = { pid: process.pid, birth: processBirth(process.pid) ?? '', stopping: false };
  for (;;) {
    if (createFile(file, JSON.stringify(mine))) {
      return {
        announceStop: () => replaceFile(file, JSON.stringify({ ...mine, stopping: true })),
        release: () => rmSync(file, { force: true }),
      };
    }
    const text = readIfThere(file);
    const holder = text === null ? null : readHolder(text);
    if (isAlive(holder)) return holder;
    if (text !== null) clearStale(file, text);
  }
}

/** Returns whether a try to lock a folder gave the lock, or the process that has it. */
export const isHeldByUs = (lock: Lock | LockHolder): lock is Lock => 'release' in lock;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchScope, findMongod } from './binaries';
import { openDataDir } from './data-dir';
import type { DataDir } from './data-dir';
import { isHeldByUs, takeLock } from './lock';
import type { Lock } from './lock';
import { mongoUriAt, mongodCommand, mongodReady, runningMongod } from './mongod';
import { keptPorts } from './ports';
import type { Settings } from './settings';

const PATIENCE_MS = 20_000;

type DatabaseSettings = Pick<Settings, 'DATA_DIR' | 'MONGOD_BINARY'>;

async function withOwnMongod<T>(settings: DatabaseSettings, dir: DataDir, say: (line: string) => void, work: Work<T>): Promise<T> {
  const binary = await findMongod(settings, fetchScope(say));
  const { mongod: port } = await keptPorts(dir.ports, ['mongod']);
  const { command, args } = mongodCommand({ binary, dbPath: dir.mongo, port });
  const child = spawn(command, args, { stdio: 'ignore' });
  const exit = once(child, 'exit');
  try {
    const died = exit.then(() => Promise.reject(new Error(`mongod cannot run on ${dir.mongo}`)));
    await Promise.race([mongodReady(port), died]);
    died.catch(() => undefined);
    return await work(mongoUriAt(port));
  } finally {
    child.kill('SIGTERM');
    await exit;
  }
}

/** Resolves to the lock, or nothing when the mongod that a running platform keeps has come up meanwhile. */
async function lockOrMongod(dir: DataDir): Promise<Lock | null> {
  for (const begun = Date.now(); ; await sleep(100)) {
    if (runningMongod(dir.mongo)) return null;
    const lock = takeLock(dir.lock);
    if (isHeldByUs(lock)) return lock;
    if (Date.now() - begun > PATIENCE_MS) throw new Error(`Process ${lock.pid} uses ${dir.root}, and its MongoDB does not run`);
  }
}

type Work<T> = (mongodbUri: string) => Promise<T>;

/**
 * Runs `work` on the database of DATA_DIR. Uses the mongod that runs on it, or starts one until `work` is done. Calls `say` if a mongod has to be fetched.
 */
export async function withKeptDatabase<T>(settings: DatabaseSettings, say: (line: string) => void, work: Work<T>): Promise<T> {
  const dir = openDataDir(settings.DATA_DIR);
  const lock = await lockOrMongod(dir);
  const running = runningMongod(dir.mongo);
  try {
    if (!running) return await withOwnMongod(settings, dir, say, work);
    await mongodReady(running.port);
    return await work(mongoUriAt(running.port));
  } finally {
    lock?.release();
  }
}

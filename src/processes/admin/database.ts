import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../platform/config';
import {
  fetchScope,
  findMongod,
  isHeldByUs,
  keptPorts,
  mongoUriAt,
  mongodCommand,
  mongodReady,
  openDataDir,
  runningMongod,
  takeLock,
} from '../local';
import type { DataDir, Lock } from '../local';

const PATIENCE_MS = 20_000;

async function withOwnMongod<T>(config: Config, dir: DataDir, work: (uri: string) => Promise<T>): Promise<T> {
  const binary = await findMongod(
    config,
    fetchScope((line) => process.stderr.write(`${line}\n`)),
  );
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

/** Does `work` on MONGODB_URI, or on the data of DATA_DIR: by the mongod that runs on them, else by one that is started for as long as it takes. */
export async function withDatabase<T>(config: Config, work: (uri: string) => Promise<T>): Promise<T> {
  if (config.MONGODB_URI) return work(config.MONGODB_URI);
  const dir = openDataDir(config.DATA_DIR);
  const lock = await lockOrMongod(dir);
  const running = runningMongod(dir.mongo);
  try {
    if (!running) return await withOwnMongod(config, dir, work);
    await mongodReady(running.port);
    return await work(mongoUriAt(running.port));
  } finally {
    lock?.release();
  }
}

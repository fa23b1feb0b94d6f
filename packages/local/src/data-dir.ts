import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { createFile, readIfThere } from './files';
import { StartError } from './start-error';

/** The data folder of the embedded servers. All paths are absolute. */
export interface DataDir {
  readonly root: string;
  readonly lock: string;
  readonly ports: string;
  readonly keys: string;
  readonly mongo: string;
  readonly temporal: string;
  readonly inbox: string;
  readonly logs: string;
}

/** Throws `StartError`, in one sentence, for a folder that cannot be made or written to. */
function openFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const fault = code === 'EEXIST' || code === 'ENOTDIR' ? 'A file is in its place' : `It cannot be written to (${code ?? String(error)})`;
    throw new StartError(`The data folder ${folder} cannot be used. ${fault}. Set DATA_DIR to a folder that you own.`, { cause: error });
  }
}

/** Entries of a new volume before anything is stored in it. */
const OF_THE_SYSTEM = ['lost+found', '.DS_Store'];

/**
 * Throws `StartError` for a folder with files that is not a data folder. To start over, people delete the whole folder, so it must not hold files of another
 * program.
 */
function requireOurs({ root, mongo, inbox, logs }: DataDir): void {
  const found = readdirSync(root).filter((name) => !OF_THE_SYSTEM.includes(name));
  const known = [mongo, inbox, logs].map((folder) => path.basename(folder));
  if (found.length === 0 || found.some((name) => known.includes(name))) return;
  const [first] = found.sort();
  throw new StartError(
    `The data folder ${root} cannot be used. It holds files of another program (${first}). Set DATA_DIR to a new folder, or to one that Lettermill created.`,
  );
}

/** Creates the folders of DATA_DIR, readable by their owner only, where they are missing. Throws `StartError` where it cannot. */
export function openDataDir(dataDir: string): DataDir {
  const root = path.resolve(dataDir);
  const at = (name: string): string => path.join(root, name);
  const dir: DataDir = {
    root,
    lock: at('lock'),
    ports: at('ports.json'),
    keys: at('keys.json'),
    mongo: at('mongo'),
    temporal: at('temporal.sqlite'),
    inbox: at('inbox'),
    logs: at('logs'),
  };
  openFolder(dir.root);
  requireOurs(dir);
  for (const folder of [dir.mongo, dir.inbox, dir.logs]) openFolder(folder);
  return dir;
}

const secretFile = (root: string): string => path.join(root, 'app-secret');

/** Returns the secret of this DATA_DIR; made at the first call. */
export function keptSecret(dir: DataDir): string {
  createFile(secretFile(dir.root), randomBytes(32).toString('base64url'));
  return secretIfThere(dir.root) ?? '';
}

/** Returns the secret that a DATA_DIR has, or null. */
export const secretIfThere = (dataDir: string): string | null => readIfThere(secretFile(path.resolve(dataDir)))?.trim() ?? null;

const KEEP_LOG_BYTES = 16 * 1024 * 1024;

/** Returns where a server's log goes. */
export const logFileOf = (dir: DataDir, name: string): string => path.join(dir.logs, `${name}.log`);

/** Opens a server's log for appending; a large one is renamed first, and replaces the one renamed before. */
export function openLog(dir: DataDir, name: string): number {
  const file = logFileOf(dir, name);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > KEEP_LOG_BYTES) {
    rmSync(`${file}.old`, { force: true });
    renameSync(file, `${file}.old`);
  }
  return openSync(file, 'a', 0o600);
}

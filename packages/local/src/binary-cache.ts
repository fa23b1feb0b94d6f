import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isHeldByUs, takeLock } from './lock';
import { announced } from './run';
import type { FetchScope } from './run';

const ANSWER_WITHIN_MS = 5_000;
const DOWNLOAD_WITHIN_MS = 600_000;

/** Returns where fetched binaries stay; it outlives the checkout and is shared by all of them. */
export const defaultCacheRoot = (): string => path.join(os.homedir(), '.cache', 'lettermill');

/** Returns the path of a file in the cache, or null if it was never fetched. A folder of the cache exists as a whole or not at all. */
export function inCache(scope: FetchScope, folder: string, file: string): string | null {
  const found = path.join(scope.cacheRoot, folder, file);
  return existsSync(found) ? found : null;
}

async function makeFolder(root: string, folder: string, make: (into: string) => Promise<void>): Promise<void> {
  const scratch = await mkdtemp(path.join(root, `${folder}.tmp-`));
  try {
    await make(scratch);
    await rename(scratch, path.join(root, folder));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Creates a folder of the cache by `make`, which fills a scratch folder that is then renamed; returns the path of `file` in it.
 * If several processes want the same folder, one creates it while the others wait.
 */
export async function throughCache(
  scope: FetchScope,
  folder: string,
  file: string,
  make: (into: string) => Promise<void>,
): Promise<string> {
  await mkdir(scope.cacheRoot, { recursive: true });
  for (let waiting = false; ; await sleep(200, undefined, { signal: scope.signal })) {
    const there = inCache(scope, folder, file);
    if (there) return there;
    const lock = takeLock(path.join(scope.cacheRoot, `${folder}.lock`));
    if (!isHeldByUs(lock)) {
      if (!waiting) scope.say(`Waiting for process ${lock.pid}, which is fetching ${folder}`);
      waiting = true;
      continue;
    }
    try {
      if (!inCache(scope, folder, file)) await makeFolder(scope.cacheRoot, folder, make);
    } finally {
      lock.release();
    }
  }
}

/** Computes the SHA-256 of a file, in hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Throws unless the file has this SHA-256. */
export async function verifySha256(file: string, expected: string): Promise<void> {
  const actual = await sha256Of(file);
  if (actual !== expected) throw new Error(`${path.basename(file)} has SHA-256 ${actual} instead of ${expected}`);
}

async function answer(scope: FetchScope, url: string): Promise<Response & { body: NonNullable<Response['body']> }> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} s`)), ANSWER_WITHIN_MS);
  const signals = [controller.signal, AbortSignal.timeout(DOWNLOAD_WITHIN_MS), ...(scope.signal ? [scope.signal] : [])];
  try {
    const response = await fetch(url, { signal: AbortSignal.any(signals) });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
    return response as Response & { body: NonNullable<Response['body']> };
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to the text at a URL. */
export const downloadText = async (scope: FetchScope, url: string): Promise<string> => (await answer(scope, url)).text();

/** Downloads a URL into a file, announced as `title`. Gives up soon when the host does not answer. */
export async function download(scope: FetchScope, url: string, file: string, title: string): Promise<void> {
  const response = await answer(scope, url);
  const megabytes = Math.round(Number(response.headers.get('content-length') ?? 0) / 1e6);
  await announced(scope, `Fetching ${title} ... ${megabytes} MB`, () =>
    pipeline(Readable.fromWeb(response.body as never), createWriteStream(file)),
  );
}

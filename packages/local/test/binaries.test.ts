import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { download, sha256Of, throughCache, verifySha256 } from '../src/binary-cache';
import { findMongod, findTemporal } from '../src/binaries';
import { announced } from '../src/run';
import type { Enter, FetchScope } from '../src/run';

let cacheRoot: string;
let lines: string[];
let scope: FetchScope;
const { PATH } = env;

beforeEach(() => {
  cacheRoot = mkdtempSync(path.join(os.tmpdir(), 'lettermill-cache-'));
  lines = [];
  scope = { cacheRoot, say: (line) => lines.push(line) };
});

afterEach(() => {
  jest.restoreAllMocks();
  env['PATH'] = PATH;
  rmSync(cacheRoot, { recursive: true, force: true });
});

/** Simulates a machine without network, Python, Go and Java. */
function cutOff(): void {
  env['PATH'] = '/nonexistent';
  jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause: new Error('no network') }));
}

function program(name: string, prints: string): string {
  const file = path.join(cacheRoot, name);
  writeFileSync(file, `#!/bin/sh\necho '${prints}'\n`);
  chmodSync(file, 0o755);
  return file;
}

test.each([
  ['mongod', findMongod, 'MONGOD_BINARY', ['mongod on PATH', 'cache: not there', 'download: no network', 'Python package']],
  ['temporal', findTemporal, 'TEMPORAL_BINARY', ['temporal on PATH', 'cache: not there', 'download: no network', 'build by Go']],
] as const)('an error without a way to %s names the variable and all that was tried', async (_, find, variable, ways) => {
  cutOff();
  const message = await find({}, scope).then(
    () => '',
    (error: Error) => error.message,
  );
  for (const part of [`Set ${variable}`, ...ways]) expect(message).toContain(part);
  expect(readdirSync(cacheRoot)).toEqual([]);
});

test('a given binary is used, or refused with its variable, and nothing else is tried', async () => {
  const good = program('mongod', 'db version v7.0.1');
  const old = program('mongod-old', 'db version v5.0.31');
  expect(await findMongod({ MONGOD_BINARY: good }, scope)).toBe(good);
  await expect(findMongod({ MONGOD_BINARY: old }, scope)).rejects.toThrow('MONGOD_BINARY cannot be used: ');
  await expect(findTemporal({ TEMPORAL_BINARY: good }, scope)).rejects.toThrow('TEMPORAL_BINARY cannot be used: ');
  const temporal = program('temporal', 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)');
  expect(await findTemporal({ TEMPORAL_BINARY: temporal }, scope)).toBe(temporal);
});

test('a mongod on PATH that is too old is passed over', async () => {
  cutOff();
  program('mongod', 'db version v4.4.1');
  env['PATH'] = cacheRoot;
  await expect(findMongod({}, scope)).rejects.toThrow('mongod is older than MongoDB 6');
});

/** Creates a fake Go that prints what Go prints, and stores a Temporal where GOBIN says. */
function standInForGo(): void {
  const temporal = `printf '#!/bin/sh\\necho "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"\\n' > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"`;
  const says = ['go: downloading example.com/a v1.2.3', 'go: downloading example.com/b v0.1.0', 'example.com/b', 'example.com/a/cmd'];
  const go = path.join(cacheRoot, 'go');
  writeFileSync(go, `#!/bin/sh\n${says.map((line) => `echo '${line}' >&2`).join('\n')}\n${temporal}\n`);
  chmodSync(go, 0o755);
  env['PATH'] = `${cacheRoot}:/usr/bin:/bin`;
}

test('Temporal is built from source only after its download was refused, and each phase is said', async () => {
  cutOff();
  standInForGo();
  expect(await findTemporal({}, scope)).toBe(path.join(cacheRoot, 'temporal-1.5.1', 'temporal'));
  const title = 'Building Temporal 1.5.1';
  expect(lines.map((line) => line.replace(/\b\d+ s\b/, 'n s'))).toEqual([
    'Temporal CLI could not be downloaded: no network',
    `${title} from source (once, a few minutes)`,
    `${title}, n s, downloading Go modules (1 so far)`,
    `${title}, n s, compiling packages (1 so far)`,
    `${title}, done in n s`,
  ]);
  lines = [];
  await findTemporal({}, scope);
  expect(lines).toEqual([]);
});

describe('long work tells how far it is', () => {
  let end: () => void;
  const work = (enter: Enter) =>
    new Promise<void>((resolve) => {
      enter('compiling packages', 1);
      enter('compiling packages', 2);
      end = resolve;
    });

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('in a log every 15 seconds', async () => {
    const done = announced(scope, 'Building', work);
    jest.advanceTimersByTime(31_000);
    end();
    await done;
    expect(lines).toEqual([
      'Building',
      'Building, 0 s, compiling packages (1 so far)',
      'Building, 15 s, compiling packages (2 so far)',
      'Building, 30 s, compiling packages (2 so far)',
      'Building, done in 31 s',
    ]);
  });

  test('on a terminal each second, in one place', async () => {
    const shown: string[] = [];
    const done = announced({ ...scope, show: (text) => shown.push(text) }, 'Building', work);
    jest.advanceTimersByTime(2000);
    end();
    await done;
    expect(lines).toEqual(['Building', 'Building, done in 2 s']);
    expect(shown).toEqual([0, 1, 2].map((s) => `Building, ${s} s, compiling packages (${s ? 2 : 1} so far)`));
  });
});

test('many who want the same folder at once make it once; one that failed is made again', async () => {
  let made = 0;
  const make = async (into: string): Promise<void> => {
    made += 1;
    await sleep(50);
    if (made === 1) throw new Error('the first fails');
    writeFileSync(path.join(into, 'file'), 'whole');
  };
  const all = await Promise.allSettled(Array.from({ length: 4 }, () => throughCache(scope, 'thing-1', 'file', make)));
  expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(made).toBe(2);
  expect(readFileSync(path.join(cacheRoot, 'thing-1', 'file'), 'utf8')).toBe('whole');
  expect(readdirSync(cacheRoot)).toEqual(['thing-1']);
});

test('a download is announced with its size; what has another sum is refused', async () => {
  const server = http.createServer((_, response) => response.setHeader('content-length', 3_000_000).end(Buffer.alloc(3_000_000)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const file = path.join(cacheRoot, 'file');
  await download(scope, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, file, 'zeros 1.0');
  server.close();
  expect(lines[0]).toBe('Fetching zeros 1.0 ... 3 MB');
  expect(lines.at(-1)).toMatch(/^Fetching zeros 1\.0 \.\.\. 3 MB, done in \d+ s$/);
  const sum = await sha256Of(file);
  await expect(verifySha256(file, sum)).resolves.toBeUndefined();
  await expect(verifySha256(file, 'f'.repeat(64))).rejects.toThrow(`file has SHA-256 ${sum} instead of ffff`);
});

test('a server that refuses is an error', async () => {
  const server = http.createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/missing`;
  await expect(download(scope, url, path.join(cacheRoot, 'file'), 'nothing')).rejects.toThrow('answered 404');
  server.close();
});

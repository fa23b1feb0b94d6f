import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { env } from 'node:process';
import { keptSecret, openDataDir } from '../src/data-dir';
import { childEnvironment } from '../src/environment';
import { createFile, readIfThere, replaceFile } from '../src/files';
import { isHeldByUs, takeLock } from '../src/lock';
import type { Lock } from '../src/lock';
import { ancestors, endProcess, findProcesses, processBirth } from '../src/os-processes';
import { freePorts, isPortFree, keptPorts } from '../src/ports';

let dir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'lettermill-data-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

function idle(code = 'setInterval(() => undefined, 1000)', ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['-e', code, '--', ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

describe('the data folder', () => {
  test('a file in its place is answered with a sentence that names DATA_DIR', () => {
    const file = path.join(dir, 'data');
    writeFileSync(file, '');
    for (const place of [file, path.join(file, 'below')])
      expect(() => openDataDir(place)).toThrow(
        `The data folder ${place} cannot be used. A file is in its place. Set DATA_DIR to a folder that you own.`,
      );
  });

  test('so is one with files of another program, and nothing is put into it', () => {
    writeFileSync(path.join(dir, 'package.json'), '{}');
    mkdirSync(path.join(dir, 'src'));
    expect(() => openDataDir(dir)).toThrow(
      `The data folder ${dir} cannot be used. It holds files of another program (package.json). Set DATA_DIR to a new folder, or to one that Lettermill created.`,
    );
    expect(readdirSync(dir)).toEqual(['package.json', 'src']);
  });

  test('one that Lettermill made may hold other files, and an empty volume is as good as an empty folder', () => {
    mkdirSync(path.join(dir, 'lost+found'));
    const { root } = openDataDir(dir);
    writeFileSync(path.join(root, 'notes.txt'), '');
    expect(openDataDir(dir).root).toBe(dir);
  });

  test('npm start ends with that sentence alone, and exit code 1', () => {
    writeFileSync(path.join(dir, 'package.json'), '{}');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/run.cjs', 'src/processes/local/main.ts'], {
      env: childEnvironment({}, { DATA_DIR: dir, LOG_LEVEL: 'error' }),
      encoding: 'utf8',
    });
    expect([status, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.stringContaining('It holds files of another program')]]);
  });

  test('so is one that cannot be made', () => {
    expect(() => openDataDir('/sys/lettermill')).toThrow(
      /^The data folder \/sys\/lettermill cannot be used\. It cannot be written to \(E[A-Z]+\)/,
    );
  });
});

describe('the lock', () => {
  const file = (): string => path.join(dir, 'lock');

  test('is held until it is released, and says who holds it', () => {
    const lock = takeLock(file()) as Lock;
    expect(takeLock(file())).toMatchObject({ pid: process.pid, stopping: false });
    lock.announceStop();
    expect(takeLock(file())).toMatchObject({ pid: process.pid, stopping: true });
    lock.release();
    expect(isHeldByUs(takeLock(file()))).toBe(true);
  });

  test.each([
    ['of a process that is gone', () => JSON.stringify({ pid: 2 ** 22 - 1, birth: '1', stopping: false })],
    [
      'of an earlier process with the number of a living one',
      () => JSON.stringify({ pid: process.pid, birth: 'another time', stopping: false }),
    ],
    ['that cannot be read', () => '{'],
  ])('%s is taken over', (_, text) => {
    writeFileSync(file(), text());
    expect(isHeldByUs(takeLock(file()))).toBe(true);
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  test('is taken by one of many who find it stale at once', async () => {
    writeFileSync(file(), JSON.stringify({ pid: 2 ** 22 - 1, birth: '1', stopping: false }));
    const module = path.resolve(__dirname, '../src/lock.ts');
    const typescript = path.resolve(__dirname, '../../../src/typescript.cjs');
    const code = `require(${JSON.stringify(typescript)}).register(); const { takeLock } = require(${JSON.stringify(module)}); console.log('release' in takeLock(${JSON.stringify(file())})); setInterval(() => undefined, 1000)`;
    const racing = Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      return once(child.stdout, 'data').then(([answer]) => String(answer).trim());
    });
    expect((await Promise.all(racing)).filter((answer) => answer === 'true')).toHaveLength(1);
  });
});

describe('files', () => {
  test('are created once and replaced as a whole, for their owner only', () => {
    const file = path.join(dir, 'kept');
    expect(readIfThere(file)).toBeNull();
    expect(createFile(file, 'first')).toBe(true);
    expect(createFile(file, 'second')).toBe(false);
    expect(readIfThere(file)).toBe('first');
    replaceFile(file, 'third');
    expect(readIfThere(file)).toBe('third');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['kept']);
  });

  test('the secret is made once, is long enough and stays', () => {
    const data = openDataDir(path.join(dir, 'data'));
    const secret = keptSecret(data);
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(keptSecret(openDataDir(path.join(dir, 'data')))).toBe(secret);
    expect(statSync(path.join(data.root, 'app-secret')).mode & 0o777).toBe(0o600);
    expect(statSync(data.root).mode & 0o777).toBe(0o700);
  });
});

describe('ports', () => {
  test('are kept from one start to the next, except one that is taken meanwhile', async () => {
    const file = path.join(dir, 'ports.json');
    const first = await keptPorts(file, ['mongod', 'temporal']);
    expect(await keptPorts(file, ['mongod', 'temporal'])).toEqual(first);
    const stranger = net.createServer().listen(first.mongod, '127.0.0.1');
    await once(stranger, 'listening');
    expect(await isPortFree(first.mongod)).toBe(false);
    const second = await keptPorts(file, ['mongod', 'temporal']);
    stranger.close();
    expect(second.temporal).toBe(first.temporal);
    expect(second.mongod).not.toBe(first.mongod);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(second);
  });

  test('are different ones, and none that a system gives to an outgoing connection', async () => {
    const ports = await freePorts(20);
    expect(new Set(ports).size).toBe(20);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });
});

describe('processes', () => {
  test('are found by program and option, and are known by their birth', async () => {
    const child = idle(undefined, '--dbpath', dir);
    const pid = child.pid ?? 0;
    await once(child, 'spawn');
    expect(findProcesses(path.basename(process.execPath), '--dbpath', dir).map((seen) => seen.pid)).toEqual([pid]);
    expect(findProcesses('mongod', '--dbpath', dir)).toEqual([]);
    expect(findProcesses(path.basename(process.execPath), '--dbpath', `${dir}/mongo`)).toEqual([]);
    const birth = processBirth(pid);
    expect(birth).not.toBeNull();
    expect(processBirth(pid)).toBe(birth);
    await endProcess(pid, 5000);
    expect(processBirth(pid)).toBeNull();
  });

  test('that ignore SIGTERM are killed when patience is over', async () => {
    const child = idle(`process.on('SIGTERM', () => undefined); console.log('up'); setInterval(() => undefined, 1000)`);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    const exit = once(child, 'exit');
    await endProcess(child.pid ?? 0, 100);
    expect(await exit).toEqual([null, 'SIGKILL']);
  });

  test('know what they descend from', () => {
    expect(ancestors(process.pid)[0]?.pid).toBe(process.ppid);
  });
});

test('a child gets our environment between what gives way to it and what does not', () => {
  env['LETTERMILL_GIVEN'] = 'given';
  env['LETTERMILL_EMPTY'] = '';
  const merged = childEnvironment({ LETTERMILL_GIVEN: 'default', LETTERMILL_EMPTY: 'default' }, { LETTERMILL_FORCED: 'forced' });
  expect(merged).toMatchObject({ LETTERMILL_GIVEN: 'given', LETTERMILL_EMPTY: 'default', LETTERMILL_FORCED: 'forced' });
  delete env['LETTERMILL_GIVEN'];
  delete env['LETTERMILL_EMPTY'];
});

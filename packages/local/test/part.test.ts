import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import pino from 'pino';
import { Part } from '../src/parts';
import type { PartPlan } from '../src/parts';
import { eventually } from '../../../test/support/platform/platform';

const silent = pino({ level: 'silent' });

function partOf(code: string, more: Partial<PartPlan> = {}): { readonly part: Part; readonly runs: ChildProcess[] } {
  const runs: ChildProcess[] = [];
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
    runs.push(child);
    return child;
  };
  return { part: new Part({ name: 'test', spawn: start, patienceMs: 5000, ...more }, silent), runs };
}

const IDLE = 'setInterval(() => undefined, 1000)';

test('a part that is killed comes back until it is stopped', async () => {
  const { part, runs } = partOf(IDLE);
  await part.start();
  runs[0]?.kill('SIGKILL');
  await eventually('second run', () => runs[1]?.pid);
  runs[1]?.kill('SIGKILL');
  await eventually('third run', () => runs[2]?.pid);
  await part.stop();
  expect(runs.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL', 'SIGKILL', 'SIGTERM']);
  expect(runs).toHaveLength(3);
});

test('a part that cannot start is given up soon, with the reason and where to read on', async () => {
  const { part, runs } = partOf('process.exit(3)', { logFile: '/somewhere/test.log', ready: () => new Promise(() => undefined) });
  await expect(part.start()).rejects.toThrow('test ended 3 times in a row (exit code 3); see /somewhere/test.log');
  expect(runs).toHaveLength(3);
});

test('a program that is not there is given up, too', async () => {
  const { part } = partOf('', { spawn: () => spawn('/nonexistent/program'), ready: () => new Promise(() => undefined) });
  await expect(part.start()).rejects.toThrow('ENOENT');
});

test('a part that ignores SIGTERM is killed when its patience is over', async () => {
  const code = `process.on('SIGTERM', () => undefined); console.log('up'); ${IDLE}`;
  const { part, runs } = partOf(code, { patienceMs: 200 });
  await part.start();
  await new Promise((resolve) => runs[0]?.stdout?.once('data', resolve));
  await part.stop();
  expect(runs[0]?.signalCode).toBe('SIGKILL');
});

test('a part that waits to be started again is not started after a stop', async () => {
  const { part, runs } = partOf('process.exit(1)');
  await part.start();
  await eventually('the first run is over', () => runs[0]?.exitCode === 1);
  await part.stop();
  const before = runs.length;
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(runs).toHaveLength(before);
});

test('a part that says when it listens is not ready before', async () => {
  const begun = Date.now();
  const { part } = partOf(`setTimeout(() => process.send({ listening: 1 }), 500); ${IDLE}`, { saysListening: true });
  await part.start();
  expect(Date.now() - begun).toBeGreaterThanOrEqual(490);
  await part.stop();
});

test('a part that says why it cannot start ends the start with that sentence, at once', async () => {
  const { part } = partOf(`process.send({ cannotStart: 'Port 25 is taken.' }, () => process.exit(1));`, { saysListening: true });
  await expect(part.start()).rejects.toThrow(/^Port 25 is taken\.$/);
  await part.stop();
});

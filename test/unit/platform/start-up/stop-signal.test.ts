import { stopSignal } from '../../../../src/platform/start-up';

const log = { info: jest.fn(), fatal: jest.fn() };

afterEach(() => {
  for (const event of ['SIGTERM', 'SIGINT', 'uncaughtException'] as const) process.removeAllListeners(event);
  process.exitCode = undefined;
});

test('after a signal it is said at once that nothing more is to come, and the process works on for as long as it is told', async () => {
  const said: number[] = [];
  const began = performance.now();
  const stop = stopSignal(log, { say: () => said.push(performance.now() - began), seconds: 0.3 });
  process.emit('SIGTERM');
  process.emit('SIGTERM');
  await stop;
  expect(said).toHaveLength(1);
  expect(said[0]).toBeLessThan(200);
  expect(performance.now() - began).toBeGreaterThanOrEqual(290);
});

test('an error that nothing handles ends the process without that time', async () => {
  const say = jest.fn();
  const stop = stopSignal(log, { say, seconds: 600 });
  process.emit('uncaughtException', new Error('broken'));
  await stop;
  expect(say).toHaveBeenCalledTimes(1);
  expect(process.exitCode).toBe(1);
});

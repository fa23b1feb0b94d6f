import { outsideRequests, requestScope, withinRequest } from '../../../src/platform/core';

const DEADLINE = 1_000;
const bounds = (deadline: number) => ({ deadline, signal: null });
const deadlineNow = () => requestScope()?.deadline;

async function deadlineLater(): Promise<number | undefined> {
  await Promise.resolve();
  return deadlineNow();
}

test('work of a request knows its bounds, after it has waited too; what several wait for knows none', async () => {
  const seen = await withinRequest(bounds(DEADLINE), async () => [
    await deadlineLater(),
    await outsideRequests(deadlineLater),
    deadlineNow(),
  ]);
  expect(seen).toEqual([DEADLINE, undefined, DEADLINE]);
});

test('requests at the same time each know their own bounds, also when one ends before the other', async () => {
  let end = (): void => undefined;
  const long = withinRequest(bounds(2), async () => {
    await new Promise<void>((resolve) => (end = resolve));
    return deadlineLater();
  });
  expect(await withinRequest(bounds(1), deadlineLater)).toBe(1);
  end();
  expect(await long).toBe(2);
});

test('what a request leaves behind is not bounded, also while another one is answered', async () => {
  let go = (): void => undefined;
  let left: Promise<number | undefined> = Promise.resolve(undefined);
  await withinRequest(bounds(1), () => {
    left = new Promise<void>((resolve) => (go = resolve)).then(deadlineNow);
    return Promise.resolve();
  });
  await withinRequest(bounds(2), async () => {
    go();
    await left;
  });
  expect(await left).toBeUndefined();
});

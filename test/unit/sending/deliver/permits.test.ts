import { Permits } from '../../../../src/sending/deliver/hooks';

/** Resolves once everything that can run has run. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

test('permits that are given back twice count once', async () => {
  const permits = new Permits(2);
  const release = await permits.take(2);
  release();
  release();
  await permits.take(1);
  await permits.take(1);
  let isTaken = false;
  void permits.take(1).then(() => (isTaken = true));
  await idle();
  expect(isTaken).toBe(false);
});

test('calls that wait are served in their order, each with all that it takes', async () => {
  const permits = new Permits(2);
  const release = await permits.take(1);
  const served: string[] = [];
  void permits.take(2).then(() => served.push('two'));
  void permits.take(1).then(() => served.push('one'));
  await idle();
  expect(served).toEqual([]);
  release();
  await idle();
  expect(served).toEqual(['two']);
});

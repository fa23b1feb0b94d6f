import { withinLimit } from '../../../../src/platform/async';

test('a time limit gives back what comes in time, failures included', async () => {
  await expect(withinLimit(10_000, () => Promise.resolve('done'))).resolves.toBe('done');
  await expect(withinLimit(10_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('a time limit ends as unavailable when nothing comes', async () => {
  await expect(withinLimit(10, () => new Promise(() => undefined))).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '2' },
  });
});

test('a time limit does not mind a failure that comes too late', async () => {
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise((_resolve, reject) => (fail = reject));
  await expect(withinLimit(10, () => work)).rejects.toMatchObject({ code: 'unavailable' });
  fail(new Error('too late'));
  await expect(work).rejects.toThrow('too late');
});

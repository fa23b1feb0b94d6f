import { untilAllEnded } from '../../../worker/poller-faults';

/** A worker as far as its run goes. */
function runner() {
  let end = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { run: () => ended, end: () => end(), fail: (error: Error) => fail(error) };
}

test('a task queue that fails ends the others too, once, and they are waited for', async () => {
  const [first, second, third] = [runner(), runner(), runner()];
  const failures: unknown[] = [];
  let isOver = false;
  const all = untilAllEnded([first, second, third], (error) => failures.push(error)).then(() => (isOver = true));
  second.fail(new Error('the poller is gone'));
  third.fail(new Error('that one too'));
  await new Promise(setImmediate);
  expect([failures, isOver]).toEqual([[new Error('the poller is gone')], false]);
  first.end();
  await all;
  expect(failures).toHaveLength(1);
});

test('runs that end by themselves are no failure', async () => {
  const [first, second] = [runner(), runner()];
  const ended = jest.fn();
  first.end();
  second.end();
  await untilAllEnded([first, second], ended);
  expect(ended).not.toHaveBeenCalled();
});

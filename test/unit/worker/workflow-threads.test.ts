import workerThreads from 'node:worker_threads';
import { withLeanThreads } from '../../../worker/workflow-threads';

/** What a thread finds that calls for longer than it gave, and hears of a promise. */
const PROBE = `
  const vm = require('node:vm');
  const v8 = require('node:v8');
  let heard = 0;
  v8.promiseHooks.createHook({ init: () => { heard += 1; } });
  Promise.resolve();
  let watched = false;
  try {
    new vm.Script('const end = now() + 100; while (now() < end);').runInContext(vm.createContext({ now: Date.now }), { timeout: 5 });
  } catch {
    watched = true;
  }
  require('node:worker_threads').parentPort.postMessage({ heard: heard > 0, watched });
`;

function probe(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const thread = new workerThreads.Worker(PROBE, { eval: true });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

test('threads that begin meanwhile watch no call and note no promise, which costs half of what an execution takes there; others do as ever', async () => {
  expect(await withLeanThreads(probe)).toEqual({ heard: false, watched: false });
  expect(await probe()).toEqual({ heard: true, watched: true });
});

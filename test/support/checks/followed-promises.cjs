'use strict';

/**
 * Loaded into a process of the platform: asked with SIGUSR2, it says whether Node follows each promise of the process. Then what comes after each wait has a
 * number of its own. `known`: whether it would be seen.
 */
const { AsyncLocalStorage, executionAsyncId } = require('node:async_hooks');
const { isMainThread } = require('node:worker_threads');

async function areFollowed() {
  await Promise.resolve();
  const before = executionAsyncId();
  await Promise.resolve();
  return executionAsyncId() !== before;
}

async function answer() {
  const followed = await areFollowed();
  const storage = new AsyncLocalStorage();
  const known = await storage.run(true, areFollowed);
  storage.disable();
  process.stderr.write(`promises ${JSON.stringify({ followed, known })}\n`);
}

if (isMainThread) process.on('SIGUSR2', () => void answer());

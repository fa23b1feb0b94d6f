const { AsyncLocalStorage } = require('node:async_hooks');

const used = new Set();

const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  used.add(this);
  return run.apply(this, args);
};

/**
 * Disables the storages that a test file has used, such as those of Temporal's connections: on Node 20 to 23 each of them that is enabled slows down every
 * promise of the process, and so all later files.
 */
exports.disableStorages = () => {
  for (const storage of used) storage.disable();
  used.clear();
};

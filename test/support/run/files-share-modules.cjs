const hooks = require('node:async_hooks');
const path = require('node:path');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { register } = require('../../../src/typescript.cjs');
const { disableStorages } = require('./async-storages.cjs');
require('./key-pairs.cjs');

/** Jest's own adapter of its test framework, without the part that loads test files into a sandbox. */
const ADAPTER = path.join(path.dirname(require.resolve('jest-circus/package.json')), 'build/jestAdapterInit.js');
/** Loaded by files that connect to a database. */
const COMMANDS = path.join(__dirname, '../checks/every-command.ts');
const HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

register();

/** `CHILD_MESSAGE_END` of jest-worker: no further file comes. */
const NO_FURTHER_FILE = 2;

// Connections and servers that files share last as long as the process. Jest would wait for them, and then kill it.
process.on('message', ([kind]) => {
  if (kind === NO_FURTHER_FILE) process.exit(0);
});

/** The framework follows every promise to name the test of a late error, which takes a tenth of the time of all tests on Node 20 to 23. */
class NoStorage {
  run(_store, work, ...values) {
    return work(...values);
  }
  getStore() {}
}

/** The framework with no tests and no handlers in it. */
function freshAdapter() {
  delete require.cache[ADAPTER];
  delete globalThis[HANDLERS];
  delete globalThis[TEST_TIMEOUT];
  const { AsyncLocalStorage } = hooks;
  hooks.AsyncLocalStorage = NoStorage;
  try {
    return require(ADAPTER);
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/** The part of Jest's `jest` that tests use, on the process itself. */
function jestOf(config) {
  const mocker = new ModuleMocker(globalThis);
  const timers = new ModernFakeTimers({ config, global: globalThis });
  const jest = {
    fn: mocker.fn.bind(mocker),
    spyOn: mocker.spyOn.bind(mocker),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    setTimeout: (ms) => void (globalThis[TEST_TIMEOUT] = ms),
    useFakeTimers: (options) => (timers.useFakeTimers(options), jest),
    useRealTimers: () => (timers.useRealTimers(), jest),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    getTimerCount: () => timers.getTimerCount(),
  };
  return jest;
}

/**
 * Runs a test file in the process itself, with Node's own `require`: all files that a Jest worker runs share the modules that they load. Jest would load
 * them again for each file, in a sandbox in which globals are slow.
 */
module.exports = async function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  const { initialize, runAndTransformResultsToJestFormat } = freshAdapter();
  const jest = jestOf(config);
  await initialize({
    config,
    environment: { global: globalThis },
    globalConfig,
    localRequire: require,
    parentProcess: process,
    runtime,
    sendMessageToJest,
    setGlobalsForRuntime: () => undefined,
    testPath,
  });
  globalThis.jest = jest;
  // Jest reads source maps of what Jest has compiled, Node of what Node runs; Jest's limit of 100 frames makes each error slow.
  Error.prepareStackTrace = undefined;
  Error.stackTraceLimit = 20;
  require(testPath);
  try {
    const results = await runAndTransformResultsToJestFormat({ config, globalConfig, setupAfterEnvPerfStats: {}, testPath });
    const faults = require.cache[COMMANDS]?.exports.takeFaults();
    if (faults) throw new Error(faults);
    return results;
  } finally {
    jest.useRealTimers();
    jest.restoreAllMocks();
    disableStorages();
  }
};

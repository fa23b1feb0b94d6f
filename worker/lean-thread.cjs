'use strict';

// What each thread that runs workflows loads first: workflow-threads.ts says why.
const v8 = require('node:v8');
const vm = require('node:vm');

const { runInContext } = vm.Script.prototype;

/** Without a limit of time, which costs a thread for each call. */
vm.Script.prototype.runInContext = function (context, { timeout: _timeout, ...options } = {}) {
  return runInContext.call(this, context, options);
};

/** No hook: the ones of Node itself, by which `AsyncLocalStorage` works, are made elsewhere. */
v8.promiseHooks = { ...v8.promiseHooks, createHook: () => () => undefined };

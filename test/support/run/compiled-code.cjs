const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

/**
 * Runs an entry of a bundle, from what V8 compiled when the first process ran it: to compile it again takes most of the processor time of a start. Newer
 * versions of Node have `module.enableCompileCache` for this, Node 20 has not.
 */
module.exports = function runEntry(file, entry) {
  const kept = `${file}.${entry.replaceAll('/', '-')}.compiled`;
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(wrapped, { filename: file, cachedData: contentOf(kept) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file));
  module.exports[entry]();
  if (script.cachedDataRejected !== false) keep(kept, script.createCachedData());
};

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

// Several processes may start at once, and be killed at any moment.
function keep(file, content) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
}

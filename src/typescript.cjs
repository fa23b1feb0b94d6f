'use strict';

const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

/** Options for running TypeScript without a build: types are removed, and nothing is added, not even the names of functions. */
const OPTIONS = {
  swcrc: false,
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs', ignoreDynamic: true },
  sourceMaps: 'inline',
};

const KEPT = path.join(__dirname, '../node_modules/.cache/lettermill');

/** Keeps what was compiled under the hash of its source, so that each file is compiled once and never read when it is stale. */
function compiled(file) {
  const source = readFileSync(file, 'utf8');
  const { version } = require('@swc/core/package.json');
  const name = createHash('sha256').update(`${version}\n${file}\n${source}`).digest('base64url');
  const kept = path.join(KEPT, `${name}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = require('@swc/core').transformSync(source, { ...OPTIONS, filename: file });
    keep(kept, code);
    return code;
  }
}

// Several processes may start at once; a folder that cannot be written costs time and nothing else.
function keep(file, code) {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
  } catch {}
}

/** Lets `require` load TypeScript in this thread. */
function register() {
  process.setSourceMapsEnabled(true);
  Module._extensions['.ts'] = (module, file) => module._compile(compiled(file), file);
}

module.exports = { OPTIONS, register };

'use strict';

// Written so that a Node of any age can read it: newer syntax in this file would fail before it could say so.
var version = process.versions.node.split('.').map(Number);
// A package that is an ECMAScript module alone can be required only since these minor versions.
if (version[0] < 24 && !(version[1] >= { 20: 19, 22: 13 }[version[0]])) {
  process.stderr.write(
    'Lettermill needs Node 24 or newer, 22.13 or newer of 22, or 20.19 or newer of 20; this is ' + process.versions.node + '.\n',
  );
  process.exit(1);
}

/**
 * `node src/run.cjs <file.ts> <arguments>` runs TypeScript, compiled file by file as it is required; in a build, where all is compiled, JavaScript. The
 * compiler is no flag of the process, since every thread of a process repeats its flags: a worker's threads have no TypeScript to run, and would hold
 * 30 MiB for it.
 */
if (process.argv[2].endsWith('.ts')) require('./typescript.cjs').register();

const Module = require('node:module');
const path = require('node:path');

process.argv.splice(1, 1);
process.argv[1] = path.resolve(process.argv[1]);
Module.runMain();

'use strict';

/* Loaded before a worker, so that a benchmark measures everything of a signed message but the RSA of its signature. */

const crypto = require('node:crypto');
const { syncBuiltinESMExports } = require('node:module');

const SIGNATURE = Buffer.alloc(256);

crypto.sign = (_algorithm, _data, _key, done) => setImmediate(done, null, SIGNATURE);
syncBuiltinESMExports();

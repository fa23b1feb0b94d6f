const crypto = require('node:crypto');
const { promisify } = require('node:util');

/** More than one domain of a test has at once, so that each has a pair of its own. */
const DIFFERENT = 6;

const generate = promisify(crypto.generateKeyPair);
const pairs = [];
let asked = 0;

/**
 * The code under test gets real key pairs, but only a few different ones in each process: a pair takes 150 ms of processor time, and tests
 * set up hundreds of domains.
 */
crypto.generateKeyPair[promisify.custom] = (type, options) => {
  if (type !== 'rsa') return generate(type, options);
  return (pairs[asked++ % DIFFERENT] ??= generate(type, options));
};

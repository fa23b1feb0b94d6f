const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const config = require('./jest.config.cjs');

/**
 * The whole suite, several test files to a group: Jest loads all code anew for each file that it runs, which costs more processor time than the tests of
 * most files. The files of a group follow one another in one process and share what is loaded; each keeps its database and servers to itself, and restores what it mocks.
 * The e2e lane's files wait for processes of their own, so they stay alone. `npx jest <file>` runs a file by itself.
 */
const FILES_IN_A_GROUP = { unit: 40, workflows: 8, replay: 1, api: 17, e2e: 4 };

const TESTS = path.join(__dirname, 'test');
const GROUPS = path.join(TESTS, '.groups');

const filesOf = (lane) =>
  readdirSync(path.join(TESTS, lane), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .map((file) => `${lane}/${file}`);

const groupOf = (files) => files.map((file) => `describe('${file}', () => {\n  require('../../${file}');\n});\n`).join('');

rmSync(GROUPS, { recursive: true, force: true });
for (const [lane, most] of Object.entries(FILES_IN_A_GROUP)) {
  mkdirSync(path.join(GROUPS, lane), { recursive: true });
  const files = filesOf(lane);
  const groups = Math.ceil(files.length / most);
  for (let group = 0; group < groups; group++) {
    // Dealt out like cards: the neighbours in a folder are of a kind, and the long ones would come together.
    const dealt = files.filter((_, index) => index % groups === group);
    writeFileSync(path.join(GROUPS, lane, `${String(group + 1).padStart(2, '0')}.test.cjs`), groupOf(dealt));
  }
}

module.exports = {
  ...config,
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  testMatch: ['<rootDir>/test/.groups/**/*.test.cjs'],
};

const { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const config = require('./jest.config.cjs');

/**
 * The whole suite, several test files to a group: Jest loads all code anew for each file that it runs, which costs more processor time than the tests of
 * most files. The files of a group follow one another in one process and share what is loaded; each keeps its database and servers to itself, and restores what it mocks.
 * One that replaces a module (`jest.mock`) stays alone: it has to be the first to load it. `npx jest <file>` runs a file by itself.
 */
const FILES_IN_A_GROUP = { unit: 24, workflows: 8, replay: 1, api: 9, e2e: 3, browser: 6 };

const TESTS = path.join(__dirname, 'test');
const GROUPS = path.join(TESTS, '.groups');

/** They write into `docs/`, and are run by themselves. */
const PICTURES = /^pictures\b/;

const filesOf = (lane) =>
  readdirSync(path.join(TESTS, lane), { recursive: true })
    .filter((file) => file.endsWith('.test.ts') && !PICTURES.test(file))
    .sort()
    .map((file) => `${lane}/${file}`);

const replacesModules = (file) => /^jest\.mock\(/m.test(readFileSync(path.join(TESTS, file), 'utf8'));

const groupOf = (files) => files.map((file) => `describe('${file}', () => {\n  require('../../${file}');\n});\n`).join('');

rmSync(GROUPS, { recursive: true, force: true });
for (const [lane, most] of Object.entries(FILES_IN_A_GROUP)) {
  mkdirSync(path.join(GROUPS, lane), { recursive: true });
  const files = filesOf(lane);
  const alone = files.filter(replacesModules);
  const others = files.filter((file) => !alone.includes(file));
  const groups = Math.ceil(others.length / most);
  // Dealt out like cards: the neighbours in a folder are of a kind, and the long ones would come together.
  const dealt = Array.from({ length: groups }, (_, group) => others.filter((_file, index) => index % groups === group));
  [...dealt, ...alone.map((file) => [file])].forEach((group, index) =>
    writeFileSync(path.join(GROUPS, lane, `${String(index + 1).padStart(2, '0')}.test.cjs`), groupOf(group)),
  );
}

module.exports = {
  ...config,
  testSequencer: '<rootDir>/test/support/run/sequencer.cjs',
  testMatch: ['<rootDir>/test/.groups/**/*.test.cjs'],
};

// Prints what Jest's report (the first argument) says: tests passed, tests failed, and the files of the failed ones, where they can be run again.
import { readFileSync } from 'node:fs';

const {
  numPassedTests = 0,
  numFailedTests = 0,
  numRuntimeErrorTestSuites = 0,
  testResults = [],
} = JSON.parse(readFileSync(process.argv[2], 'utf8') || '{}');
const failed = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'));
// In a group, the outermost title is the file.
const files = new Set(failed.map(({ ancestorTitles: [file] }) => `test/${file}`));
console.log([numPassedTests, numFailedTests + numRuntimeErrorTestSuites, ...(numRuntimeErrorTestSuites === 0 ? files : [])].join(' '));

// Prints how many tests of a Jest report (the argument) passed and failed. A file that fails outside its tests counts as one failure.
import { readFileSync } from 'node:fs';

const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const broken = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
);
console.log(numPassedTests, numFailedTests + broken.length);

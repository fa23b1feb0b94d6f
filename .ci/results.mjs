// Prints how many tests of Jest's reports (the arguments) passed and failed. A file that failed beside its tests counts as one.
import { readFileSync } from 'node:fs';

let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  passed += report.numPassedTests;
  failed += report.numFailedTests + broken.length;
}
console.log(passed, failed);

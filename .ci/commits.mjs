// Checks that commit subjects follow Conventional Commits as CONTRIBUTING.md has them: all commits since this check came to the project.
import { execFileSync } from 'node:child_process';

const SUBJECT = /^(feat|fix|perf|refactor|test|docs|build|ci|chore|revert)(\([a-z0-9-]+\))?!?: \S.*$/;
const LONGEST = 100;

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

// Found by its file and not by an id, which a rebase would change.
const first = git('log', '--diff-filter=A', '--format=%H', '--', '.ci/commits.mjs').split('\n').pop();
const range = first ? `${first}..HEAD` : 'HEAD~1..HEAD';
const subjects = git('log', '--no-merges', '--format=%h %s', range).split('\n').filter(Boolean);
const refused = subjects.filter((line) => {
  const subject = line.slice(line.indexOf(' ') + 1);
  return !SUBJECT.test(subject) || subject.length > LONGEST;
});
for (const line of refused) console.error(`Not a Conventional Commit of at most ${LONGEST} characters: ${line}`);
console.log(`${subjects.length} commit subjects checked`);
process.exitCode = refused.length > 0 ? 1 : 0;

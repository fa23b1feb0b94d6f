// `npm run release -- X.Y.Z` writes a version wherever it is kept and moves the changelog's Unreleased entries under it.
// `npm run release -- --check` checks that all places agree and that the changelog has a heading for the version.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const CHANGELOG = 'CHANGELOG.md';
/** The changelog of the Python package, which may have nothing new. */
const PACKAGE_CHANGELOG = 'clients/python/CHANGELOG.md';
const UNRELEASED = '## [Unreleased]\n';
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** Each place: the file, how many times it names the version, and a pattern that matches the version alone. `npm run docs` writes the generated files. */
const PLACES = [
  ['package.json', 1, /(?<=^ {2}"version": ")[^"]+/gm],
  ['package-lock.json', 3, /(?<="name": "lettermill(?:-console)?",\s+"version": ")[^"]+/g],
  ['console/package.json', 1, /(?<=^ {2}"version": ")[^"]+/gm],
  ['clients/typescript/package.json', 1, /(?<=^ {2}"version": ")[^"]+/gm],
  ['clients/typescript/README.md', 1, /(?<=lettermill-)\d.*(?=\.tgz)/g],
  ['clients/python/pyproject.toml', 1, /(?<=^version = ")[^"]+/gm],
  ['clients/python/README.md', 1, /(?<=lettermill-)\d.*(?=-py3-none-any\.whl)/g],
  ['docs/command-line.md', 1, /(?<=lettermill-)\d.*(?=\.tgz)/g],
  ['docs/quickstart.md', 1, /(?<=lettermill-)\d.*(?=\.tgz)/g],
  ['api/openapi/answers.json', 2, /(?<="version": ")\d[^"]+/g],
  ['deploy/helm/Chart.yaml', 2, /(?<=^(?:version|appVersion): )\S+/gm],
  ['docker-compose.yml', 1, /(?<=image: lettermill:)\S+/g],
];

const USAGE = `Usage: npm run release -- X.Y.Z
       npm run release -- --check

Writes a version wherever it is kept and moves the changelog's Unreleased entries under it;
with --check, only checks that all places agree.`;

/** A reason to stop that the user can act on; it is printed without a stack. */
class Refusal extends Error {}

const read = (file) => readFileSync(file, 'utf8');
const present = () => JSON.parse(read('package.json')).version;

/** Returns one sentence for each place that does not name the version as often as it should. */
const disagreements = (version) =>
  PLACES.flatMap(([file, times, pattern]) => {
    const found = read(file).match(pattern) ?? [];
    if (found.length !== times) return [`${file} names the version ${found.length} times instead of ${times}.`];
    const others = found.filter((each) => each !== version);
    return others.length === 0 ? [] : [`${file} has ${others.join(', ')} instead of ${version}.`];
  });

const isNewer = (version, than) => {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && a[at] > b[at];
};

/** Returns the entries below Unreleased, up to the next version. */
const unreleasedOf = (changelog) => (changelog.split(UNRELEASED)[1] ?? '').split(/^## /m)[0].trim();

/** Moves the entries of Unreleased under a heading for the version. */
const withHeading = (changelog, version, date) => changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);

/** Throws a Refusal if this version cannot be released now. */
function refuse(version) {
  if (!VERSION.test(version)) throw new Refusal(`"${version}" is not a version of the form X.Y.Z.`);
  if (!isNewer(version, present())) throw new Refusal(`${version} is not newer than ${present()}.`);
  if (execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }) !== '')
    throw new Refusal('The working tree has uncommitted changes: commit or stash them first.');
  if (unreleasedOf(read(CHANGELOG)) === '') throw new Refusal(`${CHANGELOG} has nothing under Unreleased.`);
}

/** Throws a Refusal that lists what does not agree with the version in package.json. */
function check() {
  const version = present();
  const faults = disagreements(version);
  if (!read(CHANGELOG).includes(`\n## [${version}] - `)) faults.push(`${CHANGELOG} has no heading for ${version}.`);
  if (faults.length > 0) throw new Refusal(faults.join('\n'));
  return version;
}

function release(version) {
  refuse(version);
  for (const [file, , pattern] of PLACES) writeFileSync(file, read(file).replace(pattern, version));
  const changed = [CHANGELOG, PACKAGE_CHANGELOG].filter((file) => unreleasedOf(read(file)) !== '');
  for (const file of changed) writeFileSync(file, withHeading(read(file), version, new Date().toISOString().slice(0, 10)));
  execFileSync('npm', ['run', '--silent', 'docs'], { stdio: 'inherit' });
  check();
}

try {
  const [argument = ''] = process.argv.slice(2);
  if (argument === '--help') {
    console.log(USAGE);
  } else if (argument === '--check') {
    console.log(`Every place has version ${check()}.`);
  } else {
    release(argument);
    console.log(`Version ${argument} is written. RELEASING.md has the next steps.`);
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

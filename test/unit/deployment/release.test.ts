import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VERSION } from '../../../src/platform/config';

const ROOT = path.join(__dirname, '../../..');
const SCRIPT = path.join(ROOT, '.ci/release.mjs');
const CHANGELOG = 'CHANGELOG.md';
const PACKAGE_CHANGELOG = 'clients/python/CHANGELOG.md';
const LOCK = 'package-lock.json';
const NEXT = '98.76.54';
const TODAY = /## \[98\.76\.54\] - \d{4}-\d\d-\d\d\n/;

/** How a file names the version of the platform, and not that of a dependency. */
const NAMED = String.raw`(lettermill[:-]|[vV]ersion"?(?:: ?| = )["']?)${VERSION.replaceAll('.', '\\.')}\b`;

/** Written by `npm run docs`, for which a program stands in here. */
const GENERATED = ['docs/openapi.json', 'clients/typescript/src/schema.ts'];
const DOCS = `require('node:fs').writeFileSync('generated', require('../package.json').version);\n`;

const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });
/** All files of the project that name its version, known to the script or not. */
const NAMING = git(ROOT, 'grep', '-lP', NAMED)
  .trim()
  .split('\n')
  .filter((file) => !GENERATED.includes(file));

let folder: string;
const inFolder = (file: string): string => path.join(folder, file);
const text = (file: string): string => readFileSync(inFolder(file), 'utf8');
const change = (file: string, from: string | RegExp, to: string): void => writeFileSync(inFolder(file), text(file).replace(from, to));
const commit = (): void => {
  git(folder, 'add', '--all');
  git(folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'chore: a change');
};

/** The script's exit code, and what it says to its user. */
function release(...args: readonly string[]): { readonly code: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' });
  return { code: status, said: stdout + stderr };
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  for (const file of [...NAMING, CHANGELOG, PACKAGE_CHANGELOG]) cpSync(path.join(ROOT, file), inFolder(file));
  mkdirSync(inFolder('src'));
  writeFileSync(inFolder('src/run.cjs'), DOCS);
  change(CHANGELOG, /## \[Unreleased\]\n[^]*?(?=## \[)/, '## [Unreleased]\n\n### Sending\n\n- A change.\n\n');
  writeFileSync(inFolder(PACKAGE_CHANGELOG), '# Changelog\n\n## [Unreleased]\n\n- A method.\n');
  git(folder, 'init', '--quiet');
  commit();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  test('leaves the former version in no file that names it, and all places agree', () => {
    expect(release(NEXT)).toEqual({ code: 0, said: expect.stringContaining(NEXT) });
    const former = new RegExp(NAMED);
    expect(NAMING.filter((file) => file !== LOCK && former.test(text(file)))).toEqual([]);
    const { version, packages } = JSON.parse(text(LOCK)) as { version: string; packages: Record<string, { version: string }> };
    expect([version, packages['']?.version, packages['console']?.version]).toEqual([NEXT, NEXT, NEXT]);
    expect(text('generated')).toBe(NEXT);
    expect(release('--check')).toEqual({ code: 0, said: `Every place has version ${NEXT}.\n` });
  });

  test('leaves what belongs to others as it was', () => {
    const others = (lock: string) =>
      Object.entries((JSON.parse(lock) as { packages: object }).packages).filter(([name]) => name.startsWith('node_modules/'));
    const before = others(text(LOCK));
    release(NEXT);
    expect(others(text(LOCK))).toEqual(before);
  });

  test('moves the entries under a heading with the date, and leaves Unreleased empty', () => {
    release(NEXT);
    const [head = '', below = ''] = text(CHANGELOG).split(TODAY);
    expect(head.endsWith('## [Unreleased]\n\n')).toBe(true);
    expect(below.startsWith('\n### Sending\n\n- A change.\n\n## [')).toBe(true);
    expect(text(PACKAGE_CHANGELOG).split(TODAY)).toEqual(['# Changelog\n\n## [Unreleased]\n\n', '\n- A method.\n']);
  });

  test('gives a package without changes no heading', () => {
    writeFileSync(inFolder(PACKAGE_CHANGELOG), '# Changelog\n\n## [Unreleased]\n');
    commit();
    release(NEXT);
    expect(text(PACKAGE_CHANGELOG)).toBe('# Changelog\n\n## [Unreleased]\n');
  });
});

describe('a release is refused', () => {
  test.each([
    ['1.2', '"1.2" is not a version of the form X.Y.Z.'],
    ['v1.2.3', '"v1.2.3" is not a version of the form X.Y.Z.'],
    ['01.2.3', '"01.2.3" is not a version of the form X.Y.Z.'],
    ['', '"" is not a version of the form X.Y.Z.'],
    [VERSION, `${VERSION} is not newer than ${VERSION}.`],
    ['0.0.9', `0.0.9 is not newer than ${VERSION}.`],
  ])('as "%s"', (version, said) => {
    expect(release(version)).toEqual({ code: 1, said: `${said}\n` });
    expect(git(folder, 'status', '--porcelain')).toBe('');
  });

  test('with uncommitted changes', () => {
    change(CHANGELOG, 'A change.', 'Another change.');
    expect(release(NEXT)).toEqual({ code: 1, said: 'The working tree has uncommitted changes: commit or stash them first.\n' });
  });

  test('with nothing under Unreleased', () => {
    change(CHANGELOG, '### Sending\n\n- A change.\n\n', '');
    commit();
    expect(release(NEXT)).toEqual({ code: 1, said: 'CHANGELOG.md has nothing under Unreleased.\n' });
  });
});

describe('the check', () => {
  test('holds for the project as it is', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--check'], { cwd: ROOT, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('names every place that differs', () => {
    change('deploy/helm/Chart.yaml', `appVersion: ${VERSION}`, 'appVersion: 9.9.9');
    change('docker-compose.yml', `lettermill:${VERSION}`, 'lettermill');
    change(CHANGELOG, `## [${VERSION}]`, '## [0.0.0]');
    expect(release('--check')).toEqual({
      code: 1,
      said: [
        `deploy/helm/Chart.yaml has 9.9.9 instead of ${VERSION}.`,
        'docker-compose.yml names the version 0 times instead of 1.',
        `CHANGELOG.md has no heading for ${VERSION}.`,
        '',
      ].join('\n'),
    });
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '../../..');

interface Package {
  readonly version?: string;
  readonly hasInstallScript?: boolean;
  readonly deprecated?: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly overrides: Readonly<Record<string, unknown>>;
}

const json = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const manifest = json('package.json') as Manifest;
const installed = Object.entries((json('package-lock.json') as { packages: Record<string, Package> }).packages);
const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('installing', () => {
  test('runs no script of a package, and npm is told so of each that has one', () => {
    const scripted = new Set(installed.flatMap(([place, { hasInstallScript }]) => (hasInstallScript === true ? [nameOf(place)] : [])));
    expect(manifest.allowScripts).toEqual(Object.fromEntries([...scripted].map((name) => [name, false])));
  });

  test('brings no package that is deprecated or reports that it was installed', () => {
    expect(installed.filter(([place, { deprecated }]) => deprecated !== undefined || /scarf|opencollective|analytics/.test(place))).toEqual(
      [['node_modules/swagger-ui-dist/node_modules/@scarf/scarf', expect.objectContaining({ name: 'empty-npm-package' })]],
    );
  });

  test('is the same for npm 10, which holds an alias against the peers that packages wish for', () => {
    const aliases = Object.keys(manifest.devDependencies).filter((name) => manifest.devDependencies[name]?.startsWith('npm:'));
    const wished = (name: string) => installed.some(([, { peerDependencies }]) => peerDependencies?.[name]?.startsWith('npm:'));
    const held = aliases.filter(wished);
    expect(held.map((name) => manifest.overrides[name])).toEqual(held.map((name) => `$${name}`));
  });
});

describe('a Node that is too old', () => {
  function answerOf(version: string): readonly [number | null, string] {
    const asNode = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } }); require('./src/run.cjs');`;
    const line = ['-e', asNode, 'src/run.cjs', 'src/processes/admin/main.ts', '--version'];
    const { status, stderr } = spawnSync(process.execPath, line, { cwd: ROOT, encoding: 'utf8' });
    return [status, stderr];
  }

  test.each(['16.20.2', '18.20.8', '20.18.3', '21.7.3', '22.12.0', '23.11.1'])('%s is answered with a sentence', (version) => {
    expect(answerOf(version)).toEqual([
      1,
      `Lettermill needs Node 24 or newer, 22.13 or newer of 22, or 20.19 or newer of 20; this is ${version}.\n`,
    ]);
  });

  test.each(['20.19.0', '22.13.0', '24.0.0', '26.1.0'])('%s is none', (version) => {
    expect(answerOf(version)).toEqual([0, '']);
  });

  test('is refused by npm before it installs anything', () => {
    expect(manifest.engines.node).toBe('^20.19.0 || ^22.13.0 || >=24.0.0');
    expect(execFileSync('npm', ['config', 'get', 'engine-strict'], { cwd: ROOT, encoding: 'utf8' }).trim()).toBe('true');
  });

  test('is answered so by all that npm runs of this project', () => {
    const programs = Object.entries(manifest.scripts).filter(([, line]) =>
      /\bnode (?!node_modules|\.ci|deploy\/(?:helm|prometheus))/.test(line),
    );
    expect(programs.filter(([, line]) => !/node (--[\w-]+=\d+ )*(node_modules\/|src\/run\.cjs )/.test(line))).toEqual([]);
  });
});

// `npm run build [folder]` makes what an image runs: JavaScript, the workflows' code in one file, and the packages that running it takes. The folder (dist) is
// a whole: it can be copied anywhere on a machine of the same kind, and needs no file of the sources.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const OUT = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'));
const FLOORS = ['api', 'src', 'workflows', 'activities', 'worker'];

/** Packages that compile or bundle, and readable logs: nothing of them is asked for where all is compiled and logs are JSON lines. */
const NOT_RUN = ['@swc/core', 'swc-loader', 'source-map-loader', 'webpack', 'memfs', 'unionfs'];
/** What packages bring for people and compilers. Licences stay. */
const NOT_READ = /\.(d\.[cm]?ts|[cm]?ts|map|md|markdown|flow|tsbuildinfo)$|core-bridge\/(sdk-core|bridge-macros|src|ts|Cargo\.)/;
/** Workers of the SDK load the bundler of workflows at their start, used or not; a sixth of the packages is there for it. */
const BUNDLER = 'node_modules/@temporalio/worker/lib/workflow/bundler.js';
const NO_BUNDLER = `'use strict';
exports.defaultWorkflowInterceptorModules = [];
exports.WorkflowCodeBundler = class {
  constructor() {
    throw new Error('This build has the code of the workflows in one file and no bundler');
  }
};
`;
/** Temporal's core is there for five kinds of machines. */
const CORE = `core-bridge/releases/${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch]}-${{ linux: 'unknown-linux-gnu', darwin: 'apple-darwin' }[process.platform]}`;

/** Guides are pages of the API; what is for contributors lies in folders beside them. */
function copyGuides() {
  mkdirSync(path.join(OUT, 'docs'));
  for (const file of readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md')))
    cpSync(path.join(ROOT, 'docs', file), path.join(OUT, 'docs', file));
}

/** Compiles the TypeScript of folders within `from` to the same places within `to`. */
async function compile(folders, from, to) {
  const entryPoints = folders
    .flatMap((folder) => readdirSync(path.join(from, folder), { recursive: true }).map((file) => path.join(folder, file)))
    .filter((file) => file.endsWith('.ts'));
  await build({
    absWorkingDir: from,
    entryPoints,
    outbase: from,
    outdir: to,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  });
}

async function compileProduct() {
  await compile(FLOORS, ROOT, OUT);
  for (const file of ['package.json', 'src/run.cjs', 'api/openapi/answers.json']) cpSync(path.join(ROOT, file), path.join(OUT, file));
}

const bundleWorkflows = (kind, file) =>
  execFileSync(process.execPath, ['src/run.cjs', 'worker/bundle.ts', path.join(OUT, 'worker', file), kind], {
    cwd: ROOT,
    stdio: 'inherit',
  });

/** The console is files alone: no package of it is run. */
function copyConsole() {
  execFileSync(process.execPath, ['console/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
  cpSync(path.join(ROOT, 'console/dist'), path.join(OUT, 'console/dist'), { recursive: true });
}

/** Where Node finds a package from within another one: as package-lock.json has placed them. */
function placeOf(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/')))) {
    const place = `${at && at.replace(/\/?$/, '/')}node_modules/${name}`;
    if (place in packages) return place;
    if (at === '') return null;
  }
}

/** Returns the place of each package that is needed, and where a package of this repository has its sources. */
function packagesToRun() {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const found = new Map();
  const take = (from) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[from];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (NOT_RUN.includes(name)) continue;
      const place = placeOf(packages, from, name);
      if (place === null || found.has(place)) continue;
      const { link, resolved } = packages[place];
      found.set(place, link ? resolved : null);
      take(link ? resolved : place);
    }
  };
  take('');
  return [...found];
}

/** Where another package is copied, one of this repository is compiled. */
async function compilePackage(from, to) {
  await compile(['src'], from, to);
  const manifest = readFileSync(path.join(from, 'package.json'), 'utf8');
  writeFileSync(path.join(to, 'package.json'), manifest.replaceAll(/(?<="\.\/src\/[\w-]+)\.ts(?=")/g, '.js'));
}

async function copyPackages() {
  const wanted = (source) => {
    const file = source.slice(ROOT.length);
    if (file.includes('core-bridge/releases/') && !file.includes(CORE)) return false;
    if (file.endsWith('/node_modules')) return false;
    return statSync(source).isDirectory() || !NOT_READ.test(file);
  };
  for (const [place, ours] of packagesToRun()) {
    const source = path.join(ROOT, place);
    if (ours !== null) {
      await compilePackage(path.join(ROOT, ours), path.join(OUT, place));
      continue;
    }
    // What is for another kind of machine is not installed.
    if (existsSync(source))
      cpSync(source, path.join(OUT, place), { recursive: true, dereference: true, filter: (from) => from === source || wanted(from) });
  }
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
await compileProduct();
copyGuides();
bundleWorkflows('plain', 'workflow-bundle.js');
bundleWorkflows('traced', 'workflow-bundle-traced.js');
copyConsole();
await copyPackages();
writeFileSync(path.join(OUT, BUNDLER), NO_BUNDLER);

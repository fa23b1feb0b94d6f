import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';

const ROOT = path.resolve(__dirname, '../../..');
/** Within `node_modules`, so that a bundle finds the packages that are not in it. */
const KEPT_IN = path.join(ROOT, 'node_modules/.cache/lettermill');
const PREFIX = 'processes-';
/** Longer than any run lasts. */
const UNUSED_MS = 3_600_000;

/** Entry files that tests start as processes, often and to kill them. */
const ENTRIES = [
  'api/main.ts',
  'worker/main.ts',
  'src/processes/inbound-smtp/main.ts',
  'src/processes/admin/main.ts',
  'test/support/platform/fan-out-worker.ts',
];
/** All that the processes may be made of. */
const SOURCES = [
  'activities',
  'api',
  'package.json',
  'package-lock.json',
  'packages',
  'src',
  'test/support',
  'tsconfig.json',
  'worker',
  'workflows',
];
/** Packages with native parts, and those that load files next to their own. */
const LOADED_AS_INSTALLED = ['@temporalio/*', '@opentelemetry/*', 'pino', 'swagger-ui-dist'];

/** Files of the project find others next to them by their own path, which changes in a bundle. */
const inPlace: Plugin = {
  name: 'in-place',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      if (file.includes('node_modules')) return null;
      const folder = path.dirname(file);
      const contents = readFileSync(file, 'utf8')
        .replaceAll('__dirname', JSON.stringify(folder))
        .replaceAll('__filename', JSON.stringify(file))
        .replaceAll(/require\.resolve\('(\.[^']+)'\)/g, (_call, relative: string) => JSON.stringify(path.resolve(folder, relative)));
      return { contents, loader: 'ts' };
    }),
};

/**
 * Bundles the code of the processes, all in one file and once for the same sources: a process that compiles and loads thousands of files takes two seconds of
 * processor time until it is ready, and the tests start more than a hundred. A separate test covers that `npm start` runs from the sources. Resolves to a folder
 * for `bundleOf`.
 */
export async function bundleProcesses(): Promise<string> {
  const name = nameOfSources();
  const dir = path.join(KEPT_IN, PREFIX + name);
  if (existsSync(dir)) {
    utimesSync(dir, new Date(), new Date());
    return dir;
  }
  const unfinished = await bundle(dir);
  // A file that is saved meanwhile is in the bundle, or is not: its name would say neither.
  if (nameOfSources() !== name) {
    rmSync(unfinished, { recursive: true });
    return bundleProcesses();
  }
  finish(unfinished, dir);
  return dir;
}

/** The bundle of an entry file. */
export const bundleOf = (dir: string, entry: string): string => path.join(dir, entry.replace(/\.ts$/, '.js'));

/** Resolves to the folder of the bundle, which is to be moved to `dir`. */
async function bundle(dir: string): Promise<string> {
  removeUnused();
  const unfinished = `${dir}.${process.pid}`;
  const runs = ENTRIES.map((entry) => `${JSON.stringify(entry)}: () => require(${JSON.stringify(`./${entry}`)})`);
  await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: `module.exports = {${runs.join()}};`,
      resolveDir: ROOT,
    },
    plugins: [inPlace],
    outfile: path.join(unfinished, 'all.js'),
    external: LOADED_AS_INSTALLED,
    logLevel: 'warning',
    legalComments: 'none',
    bundle: true,
    keepNames: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
  });
  for (const entry of ENTRIES) {
    const file = bundleOf(unfinished, entry);
    mkdirSync(path.dirname(file), { recursive: true });
    const loader = path.join(__dirname, 'compiled-code.cjs');
    writeFileSync(file, `require(${JSON.stringify(loader)})(${JSON.stringify(path.join(dir, 'all.js'))}, ${JSON.stringify(entry)});\n`);
  }
  return unfinished;
}

function finish(unfinished: string, dir: string): void {
  try {
    renameSync(unfinished, dir);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(dir)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

function removeUnused(): void {
  mkdirSync(KEPT_IN, { recursive: true });
  for (const name of readdirSync(KEPT_IN).filter((any) => any.startsWith(PREFIX))) {
    const folder = path.join(KEPT_IN, name);
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (used < Date.now() - UNUSED_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a name that changes with every change of the sources or of the packages. */
function nameOfSources(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesIn(path.join(ROOT, source))).sort())
    hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 32);
}

function filesIn(source: string): readonly string[] {
  if (path.basename(source) === 'node_modules') return [];
  if (statSync(source).isFile()) return [source];
  return readdirSync(source).flatMap((name) => filesIn(path.join(source, name)));
}

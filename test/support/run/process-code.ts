import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';

const ROOT = path.resolve(__dirname, '../../..');
/** Entry files that tests start as processes, often and to kill them. */
const ENTRIES = [
  'api/main.ts',
  'worker/main.ts',
  'src/processes/inbound-smtp/main.ts',
  'src/processes/admin/main.ts',
  'test/support/platform/fan-out-worker.ts',
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
 * Bundles the code of the processes into `dir`, one file for each: a process that compiles and loads thousands of files takes two seconds
 * of processor time until it is ready, and the tests start more than a hundred. A separate test covers that `npm start` runs from the
 * sources.
 */
export async function bundleProcesses(dir: string): Promise<void> {
  await build({
    ...{ absWorkingDir: ROOT, entryPoints: ENTRIES, outbase: ROOT, outdir: dir, plugins: [inPlace], external: LOADED_AS_INSTALLED },
    ...{ bundle: true, keepNames: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' },
  });
}

/** The bundle of an entry file. */
export const bundleOf = (dir: string, entry: string): string => path.join(dir, entry.replace(/\.ts$/, '.js'));

import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { version } from '@temporalio/worker/package.json';
import { tracing } from '../src/platform/tracing';

const ROOT = path.resolve(__dirname, '..');
const RUN = path.join(ROOT, 'src/run.cjs');
/** All that workflow code may be made of: the lint lets it import nothing else of ours. */
const SOURCES = ['workflows', 'src/contracts', 'src/rules'] as const;
/** Output of `npm run build` for the workflows, next to the compiled code. */
const BUILT = { plain: path.join(__dirname, 'workflow-bundle.js'), traced: path.join(__dirname, 'workflow-bundle-traced.js') } as const;
/** With Temporal's interceptors for traces, or without. */
type Kind = keyof typeof BUILT;
const KEPT_IN = path.join(ROOT, 'node_modules', '.cache', 'lettermill');

function filesUnder(folder: string): string[] {
  const entries = readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Returns a name that changes with every change of the workflows' code, of how it is bundled, or of the SDK. */
function nameOfCode(kind: Kind): string {
  const hash = createHash('sha256')
    .update(version)
    .update(kind)
    .update(readFileSync(path.join(ROOT, 'worker/bundle.ts')));
  for (const file of SOURCES.flatMap(filesUnder).sort()) hash.update(path.relative(ROOT, file)).update('\0').update(readFileSync(file));
  return `workflows-${hash.digest('hex').slice(0, 32)}.js`;
}

/**
 * Resolves to the workflows' code in one file, which is built if none exists for these sources. A worker starts from it within a moment,
 * and never has the bundler in its memory. Throws if the build fails.
 */
export async function workflowCode(): Promise<{ readonly codePath: string }> {
  const kind = tracing() ? 'traced' : 'plain';
  if (existsSync(BUILT[kind])) return { codePath: BUILT[kind] };
  const codePath = path.join(KEPT_IN, nameOfCode(kind));
  if (!existsSync(codePath)) {
    mkdirSync(KEPT_IN, { recursive: true });
    await makeCode(codePath, kind);
  }
  return { codePath };
}

function makeCode(codePath: string, kind: Kind): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(RUN, [require.resolve('./bundle'), codePath, kind], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The workflows' code was not bundled (exit ${code})`))));
  });
}

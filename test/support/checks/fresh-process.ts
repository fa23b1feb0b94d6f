import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../../..');

/**
 * Runs the body of an async function in a process of its own, in which nothing else has been loaded or counted; paths are those of the checkout. Resolves to
 * what it returns.
 */
export async function inFreshProcess<T>(body: string, env: Readonly<Record<string, string>> = {}): Promise<T> {
  const program = `require('./src/typescript.cjs').register();
    (async () => { ${body} })().then(
      (result) => process.stdout.write(JSON.stringify(result)),
      (error) => { console.error(error); process.exitCode = 1; },
    );`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: ROOT, env: { ...process.env, ...env } });
  return JSON.parse(stdout) as T;
}

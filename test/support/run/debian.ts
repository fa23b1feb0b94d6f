import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Unpacks packages of the Debian or Ubuntu that this machine runs into a folder, and resolves to it. Installs nothing. */
export async function unpackedDebian(packages: readonly string[], folder: string): Promise<string> {
  const [archives, root] = [path.join(folder, 'archives'), path.join(folder, 'root')];
  for (const each of [archives, root]) mkdirSync(each, { recursive: true });
  const download = (options: readonly string[] = []) => run('apt-get', ['-q', ...options, 'download', ...packages], { cwd: archives });
  await download().catch(async () => {
    // The machine has no lists of packages, or old ones: those are not ours to renew.
    const lists = path.join(folder, 'lists');
    mkdirSync(path.join(lists, 'partial'), { recursive: true });
    const own = ['-o', `Dir::State::Lists=${lists}`, '-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache='];
    await run('apt-get', ['-q', ...own, 'update']);
    await download(own);
  });
  for (const archive of readdirSync(archives)) await run('dpkg', ['-x', path.join(archives, archive), root]);
  return root;
}

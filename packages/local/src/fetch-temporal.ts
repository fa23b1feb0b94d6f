import { rm } from 'node:fs/promises';
import path from 'node:path';
import { download, inCache, throughCache, verifySha256 } from './binary-cache';
import { childEnvironment } from './environment';
import { announced, run } from './run';
import type { Enter, FetchScope } from './run';

const VERSION = '1.5.1';
const FOLDER = `temporal-${VERSION}`;

const ARCHIVE_SHA256: Readonly<Record<string, string>> = {
  linux_amd64: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  linux_arm64: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  darwin_amd64: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  darwin_arm64: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};

/** Throws unless `binary` runs here and brings a development server. */
export async function checkTemporal(binary: string): Promise<string> {
  const text = await run(binary, ['--version'], { timeoutMs: 20_000 });
  if (!/temporal version .*\(Server \d/.test(text)) throw new Error(`${binary} is not a Temporal CLI with a server`);
  return binary;
}

/** Returns the Temporal CLI fetched before, or null. */
export const cachedTemporal = (scope: FetchScope): string | null => inCache(scope, FOLDER, 'temporal');

/** Resolves to the Temporal CLI as its maker released it; the sums are pinned here. */
export function temporalFromVendor(scope: FetchScope): Promise<string> {
  return throughCache(scope, FOLDER, 'temporal', async (into) => {
    const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const sum = ARCHIVE_SHA256[platform];
    if (!sum) throw new Error(`there is no build for ${process.platform} ${process.arch}`);
    const file = path.join(into, 'archive.tar.gz');
    const url = `https://github.com/temporalio/cli/releases/download/v${VERSION}/temporal_cli_${VERSION}_${platform}.tar.gz`;
    await download(scope, url, file, `Temporal ${VERSION}`);
    await verifySha256(file, sum);
    await run('tar', ['-xzf', file, '-C', into, 'temporal'], { timeoutMs: 120_000 });
    await rm(file);
    await checkTemporal(path.join(into, 'temporal'));
  });
}

/** Tells the two phases of Go's work by what it prints: a line for each module that it downloads, then one for each package that it compiles. */
function phasesOf(enter: Enter): (line: string) => void {
  let modules = 0;
  let packages = 0;
  return (line) => {
    if (line.startsWith('go: downloading ')) enter('downloading Go modules', ++modules);
    else if (/^[\w./~-]+$/.test(line)) enter('compiling packages', ++packages);
  };
}

/** Resolves to the Temporal CLI built by Go, which checks each module against its public checksum database; the next version cannot be installed so. */
export function temporalFromGo(scope: FetchScope): Promise<string> {
  return throughCache(scope, FOLDER, 'temporal', async (into) => {
    const build = (enter: Enter): Promise<string> =>
      run('go', ['install', '-v', `github.com/temporalio/cli/cmd/temporal@v${VERSION}`], {
        timeoutMs: 1_800_000,
        cwd: into,
        env: childEnvironment({}, { GOBIN: into }),
        signal: scope.signal,
        hear: phasesOf(enter),
      });
    await announced(scope, `Building Temporal ${VERSION}`, build, ' from source (once, a few minutes)');
    await checkTemporal(path.join(into, 'temporal'));
  });
}

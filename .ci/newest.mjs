// Fetches the newest mongod and the newest Temporal CLI into a folder (the argument), and prints the settings that name them, as `$GITHUB_ENV` takes them:
//   node .ci/newest.mjs ~/newest >> "$GITHUB_ENV"
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MONGOD_RELEASES = 'https://downloads.mongodb.org/current.json';
const MONGOD_FOR = { edition: 'targeted', target: 'ubuntu2404', arch: 'x86_64' };
const TEMPORAL = 'github.com/temporalio/cli';

const numbersOf = (version) => version.split('.').map(Number);
const isNewer = (one, other) => {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at !== -1 && one[at] > (other[at] ?? -1);
};
/** Returns the newest of some versions, without candidates of a release. */
export const newestOf = (versions) =>
  versions
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
    .reduce((best, version) => (best === null || isNewer(numbersOf(version), numbersOf(best)) ? version : best), null);

/** Returns the archive of the newest release among those that MongoDB lists. */
export function newestMongod({ versions }) {
  const released = versions.filter((each) => each.production_release);
  const wanted = newestOf(released.map(({ version }) => version));
  const found = released
    .find(({ version }) => version === wanted)
    ?.downloads.find((each) => Object.entries(MONGOD_FOR).every(([name, value]) => each[name] === value));
  if (!found) throw new Error(`MongoDB lists no archive of ${wanted} for ${Object.values(MONGOD_FOR).join(' ')}`);
  return { version: wanted, url: found.archive.url, sha256: found.archive.sha256 };
}

const fetched = async (url) => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
};

async function fetchMongod(into) {
  const { version, url, sha256 } = newestMongod(await (await fetched(MONGOD_RELEASES)).json());
  const archive = Buffer.from(await (await fetched(url)).arrayBuffer());
  if (createHash('sha256').update(archive).digest('hex') !== sha256) throw new Error(`${url} does not have its published sum`);
  writeFileSync(path.join(into, 'mongod.tgz'), archive);
  const member = `${path.basename(url, '.tgz')}/bin/mongod`;
  execFileSync('tar', ['-xzf', 'mongod.tgz', '--strip-components=2', member], { cwd: into });
  return { version, binary: path.join(into, 'mongod') };
}

// Its version is the newest in Go's registry, and the archive that of its maker's release: what the registry holds cannot be built alone.
async function fetchTemporal(into) {
  const [, ...versions] = execFileSync('go', ['list', '-m', '-versions', TEMPORAL], { encoding: 'utf8' }).trim().split(' ');
  const version = newestOf(versions.map((each) => each.slice(1)));
  const url = `https://${TEMPORAL}/releases/download/v${version}/temporal_cli_${version}_linux_amd64.tar.gz`;
  writeFileSync(path.join(into, 'temporal.tgz'), Buffer.from(await (await fetched(url)).arrayBuffer()));
  execFileSync('tar', ['-xzf', 'temporal.tgz', 'temporal'], { cwd: into });
  return { version, binary: path.join(into, 'temporal') };
}

if (import.meta.filename === process.argv[1]) {
  const into = path.resolve(process.argv[2] ?? 'newest');
  mkdirSync(into, { recursive: true });
  const [mongod, temporal] = await Promise.all([fetchMongod(into), fetchTemporal(into)]);
  console.error(`mongod ${mongod.version}, Temporal CLI ${temporal.version}`);
  console.log(`MONGOD_BINARY=${mongod.binary}\nTEMPORAL_BINARY=${temporal.binary}`);
}

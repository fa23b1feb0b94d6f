import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** A Lettermill and a key of a project. */
export interface Profile {
  readonly url: string;
  readonly key: string;
}

interface Stored {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

type Env = Terminal['env'];

const DEFAULT = 'default';

function fileOf(env: Env): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '.';
  return path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'lettermill', 'profiles.json');
}

/** Resolves to the stored profiles. Throws a `UsageError` if the file cannot be read. */
export async function storedProfiles(env: Env): Promise<Stored> {
  const file = fileOf(env);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Stored;
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ENOENT') return { profiles: {} };
    throw new UsageError(`Cannot read ${file}`, { cause });
  }
}

// Keys are for their owner alone; a crash leaves the old file or the new one.
async function store(env: Env, stored: Stored): Promise<void> {
  const file = fileOf(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${crypto.randomUUID()}`;
  await writeFile(written, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  await rename(written, file);
  await chmod(file, 0o600);
}

/** Stores a profile and makes it the current one. Resolves to its name. */
export async function storeProfile(env: Env, profile: Profile, name = DEFAULT): Promise<string> {
  const { profiles } = await storedProfiles(env);
  await store(env, { current: name, profiles: { ...profiles, [name]: profile } });
  return name;
}

/** Selects a stored profile as the current one. Throws a `UsageError` if there is none. */
export async function selectProfile(env: Env, name: string): Promise<void> {
  const { profiles } = await storedProfiles(env);
  if (!profiles[name]) throw new UsageError(`Profile ${name} does not exist: run lettermill login --profile ${name}`);
  await store(env, { current: name, profiles });
}

/** Removes a profile. Resolves to whether there was one. */
export async function removeProfile(env: Env, name = DEFAULT): Promise<boolean> {
  const { current, profiles } = await storedProfiles(env);
  const { [name]: removed, ...rest } = profiles;
  if (removed) await store(env, { profiles: rest, ...(current !== undefined && current !== name && { current }) });
  return removed !== undefined;
}

/** Resolves to the profile to use: one that is named, else the environment's, else the current one. Throws a `UsageError` if there is none. */
export async function profileToUse(env: Env, name?: string): Promise<Profile> {
  const { LETTERMILL_URL: url, LETTERMILL_KEY: key } = name === undefined ? env : {};
  if (url && key) return { url, key };
  const { current = DEFAULT, profiles } = await storedProfiles(env);
  const found = profiles[name ?? current];
  if (found) return { url: url || found.url, key: key || found.key };
  if (name !== undefined) throw new UsageError(`Profile ${name} does not exist: run lettermill login --profile ${name}`);
  throw new UsageError('No Lettermill to connect to: run lettermill login, or set LETTERMILL_URL and LETTERMILL_KEY');
}

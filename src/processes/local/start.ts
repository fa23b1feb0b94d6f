import path from 'node:path';
import { LocalPlatform, readIfThere, replaceFile } from '@lettermill/local';
import type { DataDir, Progress } from '@lettermill/local';
import { isOwnHost } from '../../platform/addresses';
import { DEFAULT_UI_PORT, loadServerConfig } from '../../platform/config';
import type { Config, ServerConfig } from '../../platform/config';
import type { Logger } from '../../platform/log';
import { connectMongo, disconnectMongo } from '../../platform/mongo';
import { SEARCH_ATTRIBUTES } from '../../platform/temporal';
import { makeLink } from '../../records/console-sessions';
import type { ProjectKeys, Project } from '../../records/projects';
import { migrateAll } from '../../upkeep/migrations';
import { buildConsole, bundleAhead } from './builds';
import { PROGRAMS, platformPrograms, sharedEnvironment, sinkProgram } from './programs';
import { rmSync } from 'node:fs';
import { z } from 'zod';
import { createKey, createProject, findProjectNamed, revokeKey } from '../../records/projects';

const ROOT = path.resolve(__dirname, '../../..');

/** The platform on this machine once all parts run. */
export interface Ready {
  readonly config: ServerConfig;
  readonly keys: ProjectKeys | null;
  readonly dir: DataDir;
  readonly hasInbox: boolean;
  readonly hasTemporalUi: boolean;
  /** Signs in to the console, once; null where there is none. */
  readonly consoleLink: string | null;
}

/** The parameters of a start. */
export interface Start {
  readonly config: Config;
  readonly log: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Creates the platform of this machine, of which nothing runs yet. */
export const localPlatform = ({ config, log, progress, signal }: Start): LocalPlatform =>
  new LocalPlatform({
    settings: config,
    log,
    progress,
    signal,
    searchAttributes: SEARCH_ATTRIBUTES,
    defaultUiPort: DEFAULT_UI_PORT,
    defaultSubmissionPort: 2587,
    runner: { root: ROOT, run: path.join(ROOT, 'src/run.cjs') },
    isOwnHost: (host) => isOwnHost(host, config.PUBLIC_URL),
  });

/** Starts what is missing, then the programs. Resolves when the API takes requests; rejects with a `StartError` when a person has to mend something. */
export async function startAll(platform: LocalPlatform, { config, log, progress, signal }: Start): Promise<Ready> {
  const at = await platform.open(PROGRAMS);
  const { dir, ports } = at;
  const environment = sharedEnvironment(config, dir, ports);
  const effective = loadServerConfig(environment);
  const building = progress.during('building the console', buildConsole(log, signal));
  let isBundling = false;
  const onFetch = (): void => {
    if (!isBundling) bundleAhead(signal);
    isBundling = true;
  };
  const say = (line: string): void => {
    progress.clear();
    log.info(line);
  };
  const prepare = (): Promise<Prepared> => prepareDatabase(effective, dir, say);
  const { keys, consoleLink } = await platform.startServers(at, { sink: sinkProgram(dir, ports), prepare, onFetch });
  await platform.startPrograms(platformPrograms(config, effective, environment));
  return {
    config: { ...effective, TEMPORAL_UI_PORT: ports.temporalUi, SUBMISSION_PORT: ports.submission },
    keys,
    dir,
    hasInbox: !config.SMTP_URL,
    hasTemporalUi: !config.TEMPORAL_ADDRESS,
    consoleLink: (await building) ? consoleLink : null,
  };
}

interface Prepared {
  readonly keys: ProjectKeys | null;
  readonly consoleLink: string | null;
}

/** Migrates the database, since here nothing else does so before the programs start, and creates the first project and a link to its console. */
async function prepareDatabase(effective: ServerConfig, dir: DataDir, say: (line: string) => void): Promise<Prepared> {
  await connectMongo(effective.MONGODB_URI, { poolSize: 2 });
  try {
    await migrateAll(say);
    const keys = await ensureDefaultProject(dir);
    return { keys, consoleLink: keys && (await makeLink(keys.projectId, effective.PUBLIC_URL)).url };
  } finally {
    await disconnectMongo();
  }
}

const NAME = 'Default';

/** Number of keys of each kind. */
const ONE = 1;

const KeysText = z.object({ projectId: z.string(), secret: z.string(), test: z.string(), public: z.string() });

/** Revokes keys that a crash kept from being written down, and creates new ones. */
async function renewKeys(project: Project): Promise<ProjectKeys> {
  for (const key of project.keys) if (key.revokedAt === null) await revokeKey(key.prefix);
  const made = {
    secret: await createKey(project._id, 'secret', ONE),
    test: await createKey(project._id, 'test', ONE),
    public: await createKey(project._id, 'public', ONE),
  };
  return { projectId: project._id, secret: made.secret.key, test: made.test.key, public: made.public.key };
}

/**
 * Resolves to the keys of the project `Default`, made together with it at the first start; null when there is such a project and its keys are not kept here.
 *
 * | killed after            | found at the next start | done                                   |
 * |-------------------------|-------------------------|----------------------------------------|
 * | the mark was set        | mark, no project        | project is made                        |
 * | the project was made    | mark, project           | its unseen keys are replaced           |
 * | some keys were replaced | mark, project           | the same again                         |
 * | keys.json was written   | mark, keys.json         | the mark is removed                    |
 */
export async function ensureDefaultProject(dir: DataDir): Promise<ProjectKeys | null> {
  const mark = `${dir.keys}.making`;
  const kept = readIfThere(dir.keys);
  if (kept !== null) {
    rmSync(mark, { force: true });
    return KeysText.parse(JSON.parse(kept));
  }
  const marked = readIfThere(mark) !== null;
  const existing = await findProjectNamed(NAME);
  if (existing && !marked) return null;
  replaceFile(mark, '');
  const keys = existing ? await renewKeys(existing) : await createProject(NAME);
  replaceFile(dir.keys, `${JSON.stringify(keys, null, 2)}\n`);
  rmSync(mark, { force: true });
  return keys;
}

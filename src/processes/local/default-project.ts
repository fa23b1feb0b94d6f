import { rmSync } from 'node:fs';
import { readIfThere, replaceFile } from '@lettermill/local';
import type { DataDir } from '@lettermill/local';
import { z } from 'zod';
import { createKey, createProject, listProjects, revokeKey } from '../../records/projects';
import type { Project, ProjectKeys } from '../../records/projects';

const NAME = 'Default';
/** Of each kind. */
const ONE = 1;
const KeysText = z.object({ projectId: z.string(), secret: z.string(), test: z.string(), public: z.string() });

/** Revokes keys that a crash kept from being written down, and makes new ones. */
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
  const existing = (await listProjects()).find(({ name }) => name === NAME);
  if (existing && !marked) return null;
  replaceFile(mark, '');
  const keys = existing ? await renewKeys(existing) : await createProject(NAME);
  replaceFile(dir.keys, `${JSON.stringify(keys, null, 2)}\n`);
  rmSync(mark, { force: true });
  return keys;
}

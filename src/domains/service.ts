import { LRUCache } from 'lru-cache';
import mongoose from 'mongoose';
import type { Core, ProjectFacts } from '../context';
import { newId } from '../ids';
import { generateDkimKeyPair, loadDkimKey } from '../mail/dkim';
import type { DkimKey } from '../mail/dkim';
import { bumpConfigVersion, firstProjectId } from '../projects/service';
import { withinLimit } from '../time-limit';
import { DomainModel } from './model';
import type { Domain } from './model';

const DKIM_SELECTOR_LENGTH = 10;

/** Keyed by (project, configVersion): a change of the project's domains is seen by the next request of any process. */
const verified = new LRUCache<string, Promise<readonly string[]>>({ max: 10_000 });

/** The domains that a project may send from, first verified first. */
export function verifiedDomains(core: Core, project: Pick<ProjectFacts, '_id' | 'configVersion'>): Promise<readonly string[]> {
  const key = `${project._id}/${project.configVersion}`;
  const cached = verified.get(key);
  if (cached) return cached;
  const asked = readVerifiedDomains(core, project._id);
  verified.set(key, asked);
  asked.catch(() => verified.delete(key));
  return asked;
}

async function readVerifiedDomains(core: Core, projectId: string): Promise<readonly string[]> {
  await adoptDevelopmentDomains(core, projectId);
  const rows = await DomainModel.find({ projectId, status: 'verified' }).sort({ verifiedAt: 1 }).lean<Domain[]>();
  return rows.map(({ domain }) => domain);
}

/** The domains of DEV_VERIFIED_DOMAINS appear in the first project as verified domains with keys of their own. */
async function adoptDevelopmentDomains(core: Core, projectId: string): Promise<void> {
  const wanted = core.config.DEV_VERIFIED_DOMAINS ?? [];
  if (wanted.length === 0 || (await firstProjectId()) !== projectId) return;
  const present = await DomainModel.distinct('domain', { projectId, domain: { $in: wanted } });
  for (const domain of wanted.filter((name) => !present.includes(name))) await adoptDomain(core, projectId, domain);
}

async function adoptDomain(core: Core, projectId: string, domain: string): Promise<void> {
  const _id = newId('dom');
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKeyPair();
  const now = new Date();
  await DomainModel.updateOne(
    { projectId, domain },
    {
      $setOnInsert: {
        _id,
        status: 'verified',
        selector: `lm${_id.slice(-(DKIM_SELECTOR_LENGTH - 2))}`,
        dkimPrivateKey: core.secrets.encrypt({ collection: 'domains', id: _id, projectId }, privateKeyPem),
        dkimPublicKey: publicKeyBase64,
        verifiedAt: now,
        createdAt: now,
      },
    },
    { upsert: true },
  ).catch((error: unknown) => {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === 11000)) throw error;
  });
  await bumpConfigVersion(projectId);
}

/** Whoever waits for one reading waits for the same answer: it must not stay away for good. */
const READ_MS = 10_000;

/** A minute old at most: deliveries may sign with a withdrawn key for that long. */
const keys = new LRUCache<string, Promise<DkimKey | null>>({ max: 5_000, ttl: 60_000 });

/** The key that signs for a From domain, or null when the domain has none in this project. Asked for by many at once, it is read once. */
export function dkimKeyFor(core: Pick<Core, 'secrets'>, projectId: string, domain: string): Promise<DkimKey | null> {
  const id = `${projectId}/${domain}`;
  const cached = keys.get(id);
  if (cached) return cached;
  const asked = withinLimit(READ_MS, () => readDkimKey(core, projectId, domain));
  keys.set(id, asked);
  asked.catch(() => keys.delete(id));
  return asked;
}

async function readDkimKey(core: Pick<Core, 'secrets'>, projectId: string, domain: string): Promise<DkimKey | null> {
  const row = await DomainModel.findOne({ projectId, domain, status: 'verified' }).lean<Domain>();
  if (!row) return null;
  return loadDkimKey(domain, row.selector, core.secrets.decrypt({ collection: 'domains', id: row._id, projectId }, row.dkimPrivateKey));
}

import { LRUCache } from 'lru-cache';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { SecretPlace } from '../../platform/secrets';
import { loadDkimKey } from '../../message/dkim';
import type { DkimKey } from '../../message/dkim';
import { withinLimit } from '../../platform/async';
import { DomainModel } from './model';
import type { Domain } from './model';

/** All that wait for one reading share its answer, so it must come in bounded time. */
const READ_MS = 10_000;

/** So long may a delivery sign with the key of a domain that was removed and added again. */
const FRESH_MS = 5_000;

interface Kept {
  readonly key: Promise<DkimKey | null>;
  readonly askedAt: number;
}

/** Where a domain's private key is sealed for. */
export const placeOf = ({ _id, projectId }: Pick<Domain, '_id' | 'projectId'>): SecretPlace => ({
  collection: 'domains',
  id: _id,
  projectId,
});

const keysOf = perCore(() => new LRUCache<string, Kept>({ max: 5_000 }));

/**
 * The key that signs for a From domain, or null when the project has no such domain. Asked for by many at once, it is read once; while the database is
 * away, the last one goes on. What was accepted while the domain was verified is signed whatever became of it: every attempt of a message is the same.
 */
export function dkimKeyFor(core: Pick<Core, 'secrets'>, projectId: string, domain: string): Promise<DkimKey | null> {
  const keys = keysOf(core);
  const id = `${projectId}/${domain}`;
  const last = keys.get(id);
  if (last && performance.now() - last.askedAt < FRESH_MS) return last.key;
  const key = withinLimit(READ_MS, () => readDkimKey(core, projectId, domain)).catch((error: unknown) => {
    if (last) return last.key;
    keys.delete(id);
    throw error;
  });
  keys.set(id, { key, askedAt: performance.now() });
  return key;
}

async function readDkimKey(core: Pick<Core, 'secrets'>, projectId: string, domain: string): Promise<DkimKey | null> {
  const row = await DomainModel.findOne({ projectId, domain }).lean<Domain>();
  if (!row) return null;
  return loadDkimKey(domain, row.selector, core.secrets.decrypt(placeOf(row), row.dkimPrivateKey));
}

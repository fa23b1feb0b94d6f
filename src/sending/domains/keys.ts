import { LRUCache } from 'lru-cache';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { loadDkimKey } from '../../message/dkim';
import type { DkimKey } from '../../message/dkim';
import { withinLimit } from '../../platform/async';
import { adoptDevelopmentDomains } from './development';
import { findVerified } from './model';
import { sealContextOf } from './row';

/** All that wait for one reading share its answer, so it must come in bounded time. */
const READ_MS = 10_000;

/** Time for which mail may still leave from a domain that was removed or withdrawn. */
const FRESH_MS = 1_000;

type KeyCore = Pick<Core, 'config' | 'secrets'>;

interface Kept {
  readonly key: Promise<DkimKey | null>;
  readonly askedAt: number;
}

const keysOf = perCore(() => new LRUCache<string, Kept>({ max: 5_000 }));

/**
 * Resolves to the key that signs for a From domain; null if the project has no such domain, or it is no longer verified. Reads at most once
 * a second; while the database is unavailable, uses the last key.
 */
export function dkimKeyFor(core: KeyCore, projectId: string, domain: string): Promise<DkimKey | null> {
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

async function readDkimKey(core: KeyCore, projectId: string, domain: string): Promise<DkimKey | null> {
  // Development domains appear when their project is first asked for its domains.
  const row =
    (await findVerified(projectId, domain)) ?? (await adoptDevelopmentDomains(core, projectId).then(() => findVerified(projectId, domain)));
  if (!row) return null;
  return loadDkimKey(domain, row.selector, core.secrets.decrypt(sealContextOf(row), row.dkimPrivateKey));
}

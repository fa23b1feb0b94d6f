import { LRUCache } from 'lru-cache';
import { perDatabase } from '../../platform/mongo';
import { countContacts, countContactsAmong } from '../contacts';
import type { ContactCounts } from '../contacts';
import { suppressionIds } from '../../records/suppressions';

export type ContactStats = ContactCounts & {
  /** Contacts whose address has a suppression, of any reason; subscribed or not. */
  readonly suppressed: number;
};

const PAGE = 5_000;

/** Counting more rows than this takes long enough to be felt: the answer is kept for a while. */
const MANY = 100_000;
const KEPT_MS = 60_000;

const keptStats = perDatabase(() => new LRUCache<string, ContactStats>({ max: 10_000, ttl: KEPT_MS }));

/** Resolves to how many contacts a project has: exact, or up to a minute old when it has more than 100,000 contacts and suppressions (docs/stats.md). */
export async function contactStats(projectId: string): Promise<ContactStats> {
  const kept = keptStats();
  const known = kept.get(projectId);
  if (known) return known;
  const [counts, { among, suppressed }] = await Promise.all([countContacts(projectId), countSuppressed(projectId)]);
  const stats = { ...counts, suppressed };
  if (counts.total + among > MANY) kept.set(projectId, stats);
  return stats;
}

/** The ids of an address's contact and of its suppression are one function of the address and differ in their prefix. */
const contactIdOf = (suppressionId: string): string => suppressionId.replace(/^sup_/, 'ctc_');

async function countSuppressed(projectId: string): Promise<{ readonly among: number; readonly suppressed: number }> {
  let among = 0;
  let suppressed = 0;
  for await (const ids of suppressionIds(projectId, PAGE)) {
    among += ids.length;
    suppressed += await countContactsAmong(projectId, ids.map(contactIdOf));
  }
  return { among, suppressed };
}

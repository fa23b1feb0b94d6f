import type { ClientSession, QueryFilter } from 'mongoose';
import { AskedOnce, withinLimit } from '../../platform/async';
import { perCore } from '../../platform/core';
import type { Core, ProjectFacts } from '../../platform/core';
import { bounceDomainOf, bounceStatus, trackingHostOf, trackedDomainOf } from '../../rules/domains/records';
import { DomainModel, findVerified } from './model';
import type { Domain } from './model';
import { LRUCache } from 'lru-cache';
import { loadDkimKey } from '../../message/dkim';
import type { DkimKey } from '../../message/dkim';
import { sealContextOf, newDomain, requiredVerified } from './row';
import { getPublicSuffix } from 'tldts';
import { firstProjectId, bumpConfigVersion } from '../../records/projects';
import { isKnownDomain } from '../../rules/verify/known-domains';
import { isDuplicate } from '../../platform/mongo';

/** The domain's own hosts that its mail names instead of the platform's, each once its records exist. */
export interface SenderHosts {
  readonly trackingHost?: string;
  readonly bounceDomain?: string;
}

/** The domains that a project may send from, first verified first. */
export type Senders = ReadonlyMap<string, SenderHosts>;

/** Keyed by (project, configVersion): a change of the project's domains is seen by the next request of any process. */
const knownSenders = perCore(() => new AskedOnce<Senders>());

/** Resolves to the senders of a project, as of the moment when the project was read. */
export const sendersOf = (core: Core, { _id, configVersion }: Pick<ProjectFacts, '_id' | 'configVersion'>): Promise<Senders> =>
  knownSenders(core).get(`${_id}/${configVersion}`, () => adoptDevelopmentDomains(core, _id).then(() => readSenders(_id)));

/** Resolves to the senders as a transaction sees them: where removing a domain and beginning to send from it meet. */
export const sendersIn = (session: ClientSession, projectId: string): Promise<Senders> => readSenders(projectId, session);

async function readSenders(projectId: string, session?: ClientSession): Promise<Senders> {
  const rows = await DomainModel.find({ projectId, status: 'verified' }, { domain: 1, records: 1 }, { session: session ?? null })
    .sort({ verifiedAt: 1 })
    .lean<Pick<Domain, 'domain' | 'records'>[]>();
  return new Map(rows.map((row) => [row.domain, hostsOf(row)]));
}

// Rows of development domains may have no records.
function hostsOf({ domain, records }: { readonly domain: string; readonly records?: Domain['records'] }): SenderHosts {
  return {
    ...(records?.tracking === 'verified' && { trackingHost: trackingHostOf(domain) }),
    ...(records && bounceStatus(records) === 'verified' && { bounceDomain: bounceDomainOf(domain) }),
  };
}

/** Names beyond these would not help to find the right one. */
const MOST = 5;

/** Says that mail from a domain is not taken, from which it would be, and what to do. */
export function unverifiedText(domain: string, senders: Senders): string {
  const names = [...senders.keys()];
  const verified = names.length === 0 ? 'none is yet' : names.slice(0, MOST).join(', ') + (names.length > MOST ? ', …' : '');
  return `The domain ${domain} is not verified in this project (verified: ${verified}); add it with POST /v1/domains`;
}

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

/** Returns whether a domain belongs to everybody: names are registered below it (the Public Suffix List), or a provider gives mailboxes in it to anybody. */
export const isPublicDomain = (domain: string): boolean =>
  isKnownDomain(domain) || getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;

/** Resolves to the project that has verified a domain, which is in lower case and ASCII, and so receives its mail; null when none has. */
export async function projectReceivingAt(core: Core, domain: string): Promise<string | null> {
  const owner = await ownerOf(domain);
  if (owner !== null || !core.config.DEV_VERIFIED_DOMAINS?.includes(domain)) return owner;
  // Development domains appear when their project is first asked for its domains.
  const projectId = await firstProjectId();
  if (projectId === null) return null;
  await adoptDevelopmentDomains(core, projectId);
  return ownerOf(domain);
}

async function ownerOf(domain: string): Promise<string | null> {
  const row = await DomainModel.findOne({ domain, status: 'verified' }, { projectId: 1 }).lean<Pick<Domain, 'projectId'>>();
  return row?.projectId ?? null;
}

export type Owner = Pick<Domain, 'projectId' | 'domain' | 'selector'>;

/** Resolves to those of some names that are verified domains, with the project of each. */
export async function ownersOf(names: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
  const rows = await DomainModel.find(
    { domain: { $in: [...names] }, status: 'verified' },
    { _id: 0, projectId: 1, domain: 1, selector: 1 },
  ).lean<Owner[]>();
  return new Map(rows.map((row) => [row.domain, row]));
}

/** Resolves to the project whose links name this host, once the host's record leads here; null for any other host. */
export async function projectTrackedAt(host: string): Promise<string | null> {
  const domain = trackedDomainOf(host);
  if (domain === null) return null;
  const verified: QueryFilter<Domain> = { domain, status: 'verified', 'records.tracking': 'verified' };
  return (await DomainModel.findOne(verified, { projectId: 1 }).lean<Pick<Domain, 'projectId'>>())?.projectId ?? null;
}

/** Resolves to whether a proxy may get a certificate for a host. */
export const isTrackingHost = async (host: string): Promise<boolean> => (await projectTrackedAt(host.toLowerCase())) !== null;

type DevelopmentCore = Pick<Core, 'config' | 'secrets'>;

const LABEL_LENGTH = 8;

/** Returns the domain that a project has below DEV_PROJECT_DOMAINS; null without that setting. */
const ownDomain = ({ config }: Pick<Core, 'config'>, projectId: string): string | null =>
  config.DEV_PROJECT_DOMAINS === undefined ? null : `${projectId.slice(-LABEL_LENGTH)}.${config.DEV_PROJECT_DOMAINS}`;

async function wantedOf(core: DevelopmentCore, projectId: string): Promise<readonly string[]> {
  const listed = core.config.DEV_VERIFIED_DOMAINS ?? [];
  const own = ownDomain(core, projectId);
  if (listed.length === 0) return own === null ? [] : [own];
  if ((await firstProjectId()) === projectId) return listed;
  return own === null ? [] : [own];
}

/**
 * Creates development domains as verified ones with keys of their own: the domains of DEV_VERIFIED_DOMAINS in the first project, one domain
 * in every other. An existing domain becomes one.
 */
export async function adoptDevelopmentDomains(core: DevelopmentCore, projectId: string): Promise<void> {
  const wanted = await wantedOf(core, projectId);
  if (wanted.length === 0) return;
  const present = await DomainModel.distinct('domain', { projectId, domain: { $in: wanted }, status: 'verified' });
  for (const domain of wanted.filter((name) => !present.includes(name))) await adoptDomain(core, projectId, domain);
}

/** Returns whether the operator answers for the domain, so that what it needs is not looked for in DNS. */
export const isDevelopment = (core: Pick<Core, 'config'>, { projectId, domain, development }: Domain): boolean =>
  development && ((core.config.DEV_VERIFIED_DOMAINS ?? []).includes(domain) || domain === ownDomain(core, projectId));

async function adoptDomain(core: DevelopmentCore, projectId: string, domain: string): Promise<void> {
  const now = new Date();
  const { status: _status, records: _records, verifiedAt: _verifiedAt, ...fresh } = await newDomain(core, projectId, domain, now);
  const { development: _development, nextCheckAt: _nextCheckAt, revision: _revision, ...inserted } = fresh;
  const verified = { status: 'verified' as const, records: requiredVerified(), verifiedAt: now, development: true, nextCheckAt: null };
  try {
    const unlessVerified = { projectId, domain, status: { $ne: 'verified' as const } };
    await DomainModel.updateOne(unlessVerified, { $set: verified, $setOnInsert: inserted, $inc: { revision: 1 } }, { upsert: true });
    await bumpConfigVersion(projectId);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

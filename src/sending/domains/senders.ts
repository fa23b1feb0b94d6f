import type { ClientSession } from 'mongoose';
import { AskedOnce } from '../../platform/async';
import { perCore } from '../../platform/core';
import type { Core, ProjectFacts } from '../../platform/core';
import { bounceDomainOf, bounceStatus, trackingHostOf } from '../../rules/domains/records';
import { adoptDevelopmentDomains } from './development';
import { DomainModel } from './model';
import type { Domain } from './model';

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

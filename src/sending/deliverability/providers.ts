import type { Context } from '../../platform/core';
import { newestTroubles, outcomesByRecipientDomain } from '../../records/emails';
import type { DomainOutcomes } from '../../records/emails';
import { policyOf } from '../../rules/policy-refusal';
import { providersOf } from '../exchangers';
import { holdsOf, withoutAddresses } from '../provider-holds';

const DAY_MS = 86_400_000;
/** Messages that are counted, and domains that are looked up: the others are counted together. */
const MOST_COUNTED = 20_000;
const MOST_DOMAINS = 100;
const OTHERS = 'other';
/** Replies that are shown of each provider. */
const MOST_REPLIES = 5;
const MOST_CHARACTERS = 300;

/** A reply, and how many messages it kept from being delivered. */
interface Replied {
  readonly reply: string;
  readonly count: number;
}

/** The outcome of a project's mail to a provider. */
export interface ProviderFigures extends Omit<DomainOutcomes, 'domain'> {
  readonly provider: string;
  readonly policyRefusals: number;
  /** The share of delivered messages; null where there are none. */
  readonly complaintRate: number | null;
  /** Since when campaigns are held for it. */
  readonly heldSince: Date | null;
  /** Newest first. */
  readonly replies: readonly Replied[];
}

/** Reads the outcome of the mail of the last days by provider, those with most mail first. */
export async function readProviders(
  { core, projectId }: Context,
  days: number,
): Promise<{ since: Date; providers: readonly ProviderFigures[] }> {
  const since = new Date(Date.now() - days * DAY_MS);
  const [domains, troubles, holds] = await Promise.all([
    outcomesByRecipientDomain(projectId, since, MOST_COUNTED),
    newestTroubles(projectId, since, MOST_COUNTED),
    holdsOf(projectId),
  ]);
  const known = new Set(domains.slice(0, MOST_DOMAINS).map(({ domain }) => domain));
  const named = await providersOf(core).ofAll([...known].map(addressAt));
  const providerOf = (domain: string): string => (known.has(domain) ? named(addressAt(domain)) : OTHERS);
  const figures = new Map<string, Figures>();
  const of = (provider: string): Figures => {
    const own = figures.get(provider) ?? new Figures();
    figures.set(provider, own);
    return own;
  };
  for (const outcomes of domains) of(providerOf(outcomes.domain)).add(outcomes);
  for (const { domain, error } of troubles) of(providerOf(domain)).addReply(error);
  const heldSince = new Map(holds.map((hold) => [hold.provider, hold.since]));
  for (const provider of heldSince.keys()) of(provider);
  return {
    since,
    providers: [...figures].map(([provider, own]) => ({ provider, heldSince: heldSince.get(provider) ?? null, ...own.all })),
  };
}

const addressAt = (domain: string): string => `@${domain}`;

class Figures {
  private readonly counts = { sent: 0, delivered: 0, deferred: 0, bounced: 0, complained: 0 };
  private policyRefusals = 0;
  private readonly replies = new Map<string, number>();

  add(outcomes: DomainOutcomes): void {
    for (const name of NAMES) this.counts[name] += outcomes[name];
  }

  addReply(error: string): void {
    const code = /^([45]\d\d) /.exec(error)?.[1];
    if (code === undefined) return;
    if (policyOf({ code: Number(code), enhanced: null, words: error.slice(code.length + 1) }) !== null) this.policyRefusals++;
    const reply = withoutAddresses(error).slice(0, MOST_CHARACTERS);
    const times = this.replies.get(reply);
    if (times !== undefined || this.replies.size < MOST_REPLIES) this.replies.set(reply, (times ?? 0) + 1);
  }

  get all(): Omit<ProviderFigures, 'provider' | 'heldSince'> {
    const { counts, policyRefusals } = this;
    const complaintRate = counts.delivered > 0 ? counts.complained / counts.delivered : null;
    return { ...counts, policyRefusals, complaintRate, replies: [...this.replies].map(([reply, count]) => ({ reply, count })) };
  }
}

const NAMES = ['sent', 'delivered', 'deferred', 'bounced', 'complained'] as const;

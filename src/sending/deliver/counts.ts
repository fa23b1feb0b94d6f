import { domainOf } from '../../platform/addresses';
import type { Email, Settlement } from '../../records/emails';
import { metrics } from '../../platform/metrics';
import { isKnownDomain } from '../../rules/verify/known-domains';
import { collected } from '../../platform/async';
import type { Collector } from '../../platform/async';
import { countDeliveries } from '../../records/billing';
import { campaignFigures } from '../../records/campaign-figures';
import type { CampaignHappening } from '../../records/campaign-figures';
import type { Core } from '../../platform/core';
import { settle } from '../../records/emails';
import { inSequence, inTransaction } from '../../platform/mongo';
import type { Outcome } from './outcome';
import type { Finished } from './record';

/** Mailbox providers by the first label of their domains; all other domains count as `other`. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['gmail', 'gmail'],
  ['googlemail', 'gmail'],
  ['hotmail', 'outlook'],
  ['live', 'outlook'],
  ['msn', 'outlook'],
  ['outlook', 'outlook'],
  ['aol', 'yahoo'],
  ['yahoo', 'yahoo'],
  ['ymail', 'yahoo'],
  ['icloud', 'icloud'],
  ['mac', 'icloud'],
  ['me', 'icloud'],
  ['gmx', 'gmx'],
  ['web', 'gmx'],
  ['mail', 'mail_ru'],
  ['yandex', 'yandex'],
  ['protonmail', 'proton'],
]);

/** Guesses the recipient's mailbox provider from the address: one of a few labels, as it names a metric. */
export function providerOf(address: string): string {
  const domain = domainOf(address);
  if (!isKnownDomain(domain)) return 'other';
  return PROVIDERS.get(domain.slice(0, domain.indexOf('.'))) ?? 'other';
}

/** Counts messages whose attempt begins, and how long those that were never tried have waited. */
export function noteClaimed(emails: readonly Email[]): void {
  const now = Date.now();
  for (const { source, attempts, createdAt, scheduledFor } of emails) {
    metrics.claimed.inc({ kind: source });
    if (attempts > 0) continue;
    const since = Math.max(createdAt.getTime(), scheduledFor?.getTime() ?? 0);
    metrics.deliverySeconds.observe({ kind: source }, Math.max(0, now - since) / 1_000);
  }
}

/** Counts a slice of a campaign that was claimed at `at` and has been on the wire. */
export function noteSlice(count: number, at: Date): void {
  metrics.claimed.inc({ kind: 'campaign' }, count);
  metrics.deliverySeconds.observe({ kind: 'campaign' }, Math.max(0, Date.now() - at.getTime()) / 1_000);
}

/** Counts the outcomes of attempts, equal ones together. */
export function noteOutcomes(finished: readonly Finished[]): void {
  const alike = new Map<string, { readonly labels: Labels; count: number }>();
  for (const { email, outcome } of finished) {
    const labels = { kind: email.source, outcome: classOf(outcome), provider: providerOf(email.to) };
    const key = `${labels.kind} ${labels.outcome} ${labels.provider}`;
    const known = alike.get(key);
    if (known) known.count++;
    else alike.set(key, { labels, count: 1 });
  }
  for (const { labels, count } of alike.values()) metrics.outcomes.inc(labels, count);
}

/** Counts messages of a campaign that streams have seen accepted, by their recipients. */
export function noteStreamed(recipients: readonly string[]): void {
  const counts = new Map<string, number>();
  const known = new Map<string, string>();
  for (const to of recipients) {
    const domain = domainOf(to);
    const provider = known.get(domain) ?? providerOf(to);
    known.set(domain, provider);
    counts.set(provider, (counts.get(provider) ?? 0) + 1);
  }
  for (const [provider, count] of counts) metrics.outcomes.inc({ kind: 'campaign', outcome: 'accepted', provider }, count);
}

type Labels = Readonly<Record<'kind' | 'outcome' | 'provider', string>>;

function classOf({ accepted, set: { status } }: Outcome): string {
  if (accepted) return 'accepted';
  if (status === 'queued') return 'deferred';
  return status === 'bounced' || status === 'failed' ? status : 'logged';
}

const EVERY_MS = 200;

/**
 * Counters that no message waits for, written a few times a second. When a process is lost, the last moment's counts are missing in the project's reputation,
 * and in a campaign's counters until the recount at its end.
 */
export interface LaterCounts {
  readonly deliveries: Collector<Parameters<typeof countDeliveries>[0][number]>;
  readonly inCampaigns: Collector<CampaignHappening>;
}

const countersOf = new WeakMap<Core['log'], LaterCounts>();

/** Returns the counters of this process. */
export function laterCounts({ log }: Pick<Core, 'log'>): LaterCounts {
  const found = countersOf.get(log);
  if (found) return found;
  const made: LaterCounts = {
    deliveries: collected(countDeliveries, EVERY_MS, (err) => log.warn({ err }, 'Messages were not counted in their reputation')),
    inCampaigns: collected(
      (happenings) => campaignFigures.only.count(happenings),
      EVERY_MS,
      (err) => log.warn({ err }, 'Messages were not counted in their campaigns'),
    ),
  };
  countersOf.set(log, made);
  return made;
}

/** Counts the outcomes of live campaign mail, once for each message. */
export const countInCampaignsLater = (core: Pick<Core, 'log'>, settled: readonly Pick<Settlement, 'email' | 'set'>[]): void =>
  laterCounts(core).inCampaigns.add(settled.flatMap(campaignHappenings));

/** Whether a message may outlast its campaign, which is recounted at its end and never after. */
export const mayOutlastCampaign = ({ email, set }: Pick<Settlement, 'email' | 'set'>): boolean =>
  email.attempts > 1 && campaignHappenings({ email, set }).length > 0;

/**
 * Settles messages of campaigns and counts them there in one transaction: a concurrent recount of the campaign sees both or neither. Messages that
 * another process has settled are not counted. Resolves to how many were settled here.
 */
export async function settleCounted(settlements: readonly Settlement[]): Promise<number> {
  if (settlements.length === 0) return 0;
  return inSequence('campaign counters', () =>
    inTransaction(async (session) => {
      const ours: Settlement[] = [];
      for (const settlement of settlements) if ((await settle([settlement], session)) === 1) ours.push(settlement);
      await campaignFigures.only.count(ours.flatMap(campaignHappenings), session);
      return ours.length;
    }),
  );
}

/** Lists what a message's outcome adds to the counters of its campaign. */
export function campaignHappenings({ email, set }: Pick<Settlement, 'email' | 'set'>): CampaignHappening[] {
  const { _id, projectId, campaignId, contentId, testMode } = email;
  if (campaignId === null || testMode) return [];
  const first = COUNTED.filter(({ since }) => set[since]).map(({ counter }) => counter);
  const tried = email.attempts === 1;
  return first.length > 0 || tried ? [{ projectId, campaignId, emailId: _id, contentId, tried, first }] : [];
}

const COUNTED = [
  { since: 'deliveredAt', counter: 'delivered' },
  { since: 'bouncedAt', counter: 'bounced' },
  { since: 'openedAt', counter: 'opened' },
  { since: 'clickedAt', counter: 'clicked' },
  { since: 'complainedAt', counter: 'complained' },
] as const;

import { domainOf } from '../../platform/addresses';
import type { Email } from '../../records/emails';
import { metrics } from '../../platform/metrics';
import { isKnownDomain } from '../../rules/verify/known-domains';
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

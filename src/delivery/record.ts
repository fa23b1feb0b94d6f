import { gathered } from '../batch';
import { countDeliveries } from '../billing/delivery-counts';
import { countInCampaigns } from '../campaigns/counters';
import type { CampaignHappening } from '../campaigns/counters';
import { refreshReputation } from '../billing/service';
import type { Core } from '../context';
import { settle } from '../emails/ledger';
import type { Email } from '../emails/model';
import { emitOnce } from '../events/emit';
import { emitTogether } from '../events/groups';
import type { EmailEvent } from '../events/groups';
import { inTransaction } from '../mongo/transaction';
import { getProject } from '../projects/service';
import { countMail } from '../stats/count';
import type { Counter, MailHappening } from '../stats/count';
import { suppress } from '../suppressions/service';
import { eventOf } from './delivery-events';
import type { Outcome } from './outcome';

export interface Finished {
  readonly email: Email;
  readonly attemptId: string;
  readonly outcome: Outcome;
}

/**
 * Writes what became of messages. Each step may be repeated, and the ledger comes last, so no transaction is needed (one costs the database four
 * times as much for a flush): a message whose row is settled has its events and its suppression.
 *
 * | killed            | found                                            | happens                                                        |
 * |-------------------|--------------------------------------------------|----------------------------------------------------------------|
 * | before the events | `sending`                                        | in doubt: sent again after the lease                           |
 * | before the ledger | `sending`, events (suppression, counts)           | the same; its events are there already, the counts are repeated |
 * | the same, grouped | `sending`, a group of events that names it        | known to be accepted: settled by whoever takes it over         |
 * | after the ledger  | settled                                          | nothing                                                        |
 */
export async function record(core: Pick<Core, 'log'>, finished: readonly Finished[]): Promise<void> {
  await Promise.all([tell(finished), suppressHardBounces(finished), count(finished), countOnce(finished)]);
  const settled = await settle(finished.map(({ email, attemptId, outcome }) => ({ email, attemptId, set: outcome.set })));
  if (settled < finished.length) {
    core.log.warn({ late: finished.length - settled }, 'Results came after other workers had begun the messages again');
  }
  countLater(finished.flatMap(happeningsOf), core);
}

const inCampaigns = gathered<CampaignHappening>((happenings) => countInCampaigns(happenings));
const underWay = new Set<Promise<void>>();

/** The next message need not wait for its campaign's counters: what gets lost of them, the recount at the campaign's end finds. */
function countLater(happenings: readonly CampaignHappening[], { log }: Pick<Core, 'log'>): void {
  const counting = inCampaigns(happenings)
    .catch((error: unknown) => log.warn({ err: error }, 'Messages were not counted in their campaigns'))
    .finally(() => underWay.delete(counting));
  underWay.add(counting);
}

/** Resolves when all that was recorded so far is counted in its campaigns. */
export async function countedInCampaigns(): Promise<void> {
  await Promise.all(underWay);
}

/** A message that was begun before may have been told of already, by whoever began it: it goes under its own ids. */
async function tell(finished: readonly Finished[]): Promise<void> {
  const together = ({ email, outcome }: Finished): boolean => outcome.accepted && email.attempts === 1;
  await Promise.all([
    emitTogether(finished.filter(together).map(eventsOf)),
    emitOnce(finished.filter((one) => !together(one)).flatMap(eventsOf)),
  ]);
}

/** Campaign mail is claimed without a word: that it was queued is told with what became of it, once for all attempts. */
const eventsOf = ({ email, outcome }: Finished): readonly EmailEvent[] =>
  email.source === 'campaign' ? [eventOf(email, email.createdAt, 'email.queued'), ...outcome.events] : outcome.events;

/** Live mail of campaigns; what a lost process did not count, the recount at the campaign's end does. */
function happeningsOf({ email: { _id, projectId, campaignId, testMode }, outcome: { set } }: Finished): CampaignHappening[] {
  if (campaignId === null || testMode) return [];
  const first = COUNTED.filter(({ since }) => set[since]).map(({ counter }) => counter);
  return first.length > 0 ? [{ projectId, campaignId, emailId: _id, first }] : [];
}

const COUNTED = [
  { since: 'deliveredAt', counter: 'delivered' },
  { since: 'bouncedAt', counter: 'bounced' },
  { since: 'openedAt', counter: 'opened' },
  { since: 'clickedAt', counter: 'clicked' },
  { since: 'complainedAt', counter: 'complained' },
] as const;

/** Refused at once, it was sent too: what was refused is a part of what was sent (docs/stats.md). */
const HAPPENED: Readonly<Record<string, readonly Counter[]>> = {
  'email.sent': ['sent'],
  'email.delivered': ['delivered'],
  'email.bounced': ['sent', 'bounced'],
  'email.failed': ['failed'],
  'email.opened': ['opened'],
  'email.clicked': ['clicked'],
  'email.complained': ['complained'],
};

const inStats = ({ email: { projectId, source, testMode }, outcome }: Finished): readonly MailHappening[] =>
  outcome.events.flatMap(({ name, at }) => (HAPPENED[name] ?? []).map((counter) => ({ projectId, source, testMode, counter, at })));

const counted = new WeakSet<readonly Finished[]>();

/** Counts in the project's statistics. Results that are recorded again because a step failed were counted before. */
async function countOnce(finished: readonly Finished[]): Promise<void> {
  if (counted.has(finished)) return;
  counted.add(finished);
  try {
    await countMail(finished.flatMap(inStats));
  } catch (error) {
    counted.delete(finished);
    throw error;
  }
}

async function count(finished: readonly Finished[]): Promise<void> {
  await countDeliveries(finished.flatMap(countOf));
  await refreshReputations(finished);
}

async function suppressHardBounces(finished: readonly Finished[]): Promise<void> {
  for (const { email, outcome } of finished) {
    if (!outcome.hardBounce) continue;
    const project = await getProject(email.projectId);
    await inTransaction((session) =>
      suppress(session, project, { email: email.to, reason: 'hard_bounce', source: 'smtp', at: new Date() }),
    );
  }
}

/** Live mail that met a transport counts in the project's reputation. */
function countOf({ email, outcome }: Finished): { projectId: string; sent: number; bounced: number }[] {
  if (!outcome.accepted && !outcome.hardBounce) return [];
  return [{ projectId: email.projectId, sent: 1, bounced: outcome.hardBounce ? 1 : 0 }];
}

/** A hard bounce may change the project's reputation. */
async function refreshReputations(finished: readonly Finished[]): Promise<void> {
  const projects = new Set(finished.filter(({ outcome }) => outcome.hardBounce).map(({ email }) => email.projectId));
  for (const projectId of projects) await refreshReputation(projectId, new Date());
}

import type { LimitDetail } from './person-limits';
import { refusal } from './refusal';
import type { RecipientState, RefusalDetail } from './refusal';

type Suppressing = RecipientState['suppression'];

/** One question that was asked about a message to a person, with the facts that answer it. */
export type Check =
  /** A disabled project sends nothing. */
  | { readonly check: 'project'; readonly disabled: boolean }
  /** Someone who was deleted gets nothing. */
  | { readonly check: 'contact'; readonly exists: boolean }
  /** Whether the audience names the person, with each condition where it is made of conditions. */
  | { readonly check: 'audience'; readonly selected: boolean; readonly conditions?: readonly ConditionAnswer[] }
  /** A cancelled campaign begins no further message. */
  | { readonly check: 'campaign'; readonly cancelled: boolean }
  /** After a restore of the database, a message that may have gone out before is left out. */
  | { readonly check: 'restore'; readonly mayHaveBeenSent: boolean }
  /** Whether an automation takes contacts, and this one into it. */
  | { readonly check: 'workflow'; readonly active: boolean }
  | { readonly check: 'trigger_filter'; readonly matched: boolean; readonly conditions?: readonly ConditionAnswer[] }
  | { readonly check: 'reentry'; readonly allowed: boolean; readonly reentry: string }
  | { readonly check: 'trigger'; readonly happened: boolean; readonly event: string | null }
  | { readonly check: 'suppression'; readonly suppression: Suppressing | 'unknown' }
  | { readonly check: 'subscription'; readonly marketing: boolean; readonly subscribed: boolean; readonly optedOut: boolean }
  | { readonly check: 'topic'; readonly marketing: boolean; readonly topicId: string | null; readonly inTopic: boolean }
  | { readonly check: 'snooze'; readonly marketing: boolean; readonly snoozedUntil: string | null; readonly judgedAt: string }
  /** A message outside its send window waits, or is skipped. */
  | { readonly check: 'window'; readonly window: 'closed' | 'expired' | null }
  /** Send-once keys, throttles and frequency caps. */
  | { readonly check: 'person_limits'; readonly reached: LimitDetail | null }
  | { readonly check: 'reputation'; readonly state: string }
  | { readonly check: 'limits'; readonly reached: string | null }
  /** Why a sending campaign waits. */
  | { readonly check: 'hold'; readonly heldReason: string | null }
  | { readonly check: 'domain'; readonly domain: string; readonly verified: boolean };

/** A condition as it is stored, and whether the person meets it. */
export interface ConditionAnswer {
  readonly condition: unknown;
  readonly matched: boolean;
}

/** Why a message may not go, as the rest of the API says it. */
export interface Reason {
  readonly reason: string;
  readonly detail?: RefusalDetail | LimitDetail;
}

/** Judges one check by its facts: null where it is passed. The rules are those by which messages are stopped. */
export function reasonOf(check: Check): Reason | null {
  return isOfRecipient(check) ? ofRecipient(check) : ofOthers(check);
}

const OF_RECIPIENT = ['suppression', 'subscription', 'topic', 'snooze'] as const;
type OfRecipient = Extract<Check, { readonly check: (typeof OF_RECIPIENT)[number] }>;

const isOfRecipient = (check: Check): check is OfRecipient => (OF_RECIPIENT as readonly string[]).includes(check.check);

const NEVER = new Date(0);
const NOTHING = { suppression: null, subscribed: true } as const;
const typeOf = (marketing: boolean) => (marketing ? 'marketing' : 'transactional');

/** Asks the rule of refusals about one fact at a time. */
function ofRecipient(check: OfRecipient): Reason | null {
  switch (check.check) {
    case 'suppression': {
      const suppression = check.suppression === 'unknown' ? 'manual' : check.suppression;
      return refusal('transactional', { ...NOTHING, suppression }, null, NEVER);
    }
    case 'subscription': {
      const suppression = check.optedOut ? 'unsubscribe' : null;
      return refusal(typeOf(check.marketing), { suppression, subscribed: check.subscribed }, null, NEVER);
    }
    case 'topic': {
      const { topicId, inTopic, marketing } = check;
      const topic = topicId === null ? null : { topicId, defaultSubscription: inTopic ? ('in' as const) : ('out' as const) };
      return refusal(typeOf(marketing), NOTHING, topic, NEVER);
    }
    case 'snooze': {
      const snoozedUntil = check.snoozedUntil === null ? undefined : new Date(check.snoozedUntil);
      return refusal(typeOf(check.marketing), { ...NOTHING, snoozedUntil }, null, new Date(check.judgedAt));
    }
  }
}

const because = (stops: boolean, reason: string): Reason | null => (stops ? { reason } : null);

/** Why each of the other checks stops a message. */
const STOPS: { readonly [C in Exclude<Check, OfRecipient> as C['check']]: (check: C) => Reason | null } = {
  project: ({ disabled }) => because(disabled, 'disabled'),
  contact: ({ exists }) => because(!exists, 'deleted'),
  audience: ({ selected }) => because(!selected, 'not_in_audience'),
  campaign: ({ cancelled }) => because(cancelled, 'cancelled'),
  restore: ({ mayHaveBeenSent }) => because(mayHaveBeenSent, 'restored'),
  workflow: ({ active }) => because(!active, 'not_active'),
  trigger_filter: ({ matched }) => because(!matched, 'filter_not_matched'),
  reentry: ({ allowed }) => because(!allowed, 'reentry_refused'),
  trigger: ({ happened }) => because(!happened, 'not_triggered'),
  window: ({ window }) => (window === null ? null : { reason: 'limit_reached', detail: { window } }),
  person_limits: ({ reached }) => (reached === null ? null : { reason: 'limit_reached', detail: reached }),
  reputation: ({ state }) => because(state === 'paused', 'reputation_paused'),
  limits: ({ reached }) => (reached === null ? null : { reason: reached }),
  hold: ({ heldReason }) => (heldReason === null ? null : { reason: heldReason }),
  domain: ({ verified }) => because(!verified, 'unverified_domain'),
};

const ofOthers = (check: Exclude<Check, OfRecipient>): Reason | null => (STOPS[check.check] as (asked: Check) => Reason | null)(check);

/** Returns the reason that a chain of checks comes to: that of the first one that is not passed. Null where all are. */
export function firstReason(checks: readonly Check[]): Reason | null {
  for (const check of checks) {
    const reason = reasonOf(check);
    if (reason) return reason;
  }
  return null;
}

/** Returns the checks up to the first one that is not passed: what comes after it was never asked. */
export function askedOf<C extends Check>(checks: readonly C[]): readonly C[] {
  const stopped = checks.findIndex((check) => reasonOf(check) !== null);
  return stopped < 0 ? checks : checks.slice(0, stopped + 1);
}

/** The facts about a recipient when a message is judged. */
export interface RecipientFacts {
  readonly marketing: boolean;
  readonly suppression: Suppressing | 'unknown';
  readonly subscribed: boolean;
  readonly topicId: string | null;
  readonly inTopic: boolean;
  readonly snoozedUntil: string | null;
  readonly judgedAt: string;
}

/** Returns the checks of a recipient's own state, in the order in which messages are judged. */
export const recipientChecks = (facts: RecipientFacts): readonly Check[] => {
  const { marketing, suppression, subscribed, topicId, inTopic, snoozedUntil, judgedAt } = facts;
  return [
    { check: 'suppression', suppression },
    { check: 'subscription', marketing, subscribed, optedOut: suppression === 'unsubscribe' },
    { check: 'topic', marketing, topicId, inTopic },
    { check: 'snooze', marketing, snoozedUntil, judgedAt },
  ];
};

/** Returns the facts that stop nothing: of a recipient whose message began. */
export const passing = (marketing: boolean, topicId: string | null, at: Date): RecipientFacts => ({
  marketing,
  suppression: null,
  subscribed: true,
  topicId,
  inTopic: true,
  snoozedUntil: null,
  judgedAt: at.toISOString(),
});

/** The facts of a recipient that was skipped at its send time; null for one that was skipped when the audience was frozen. */
type Recorded = Pick<RecipientFacts, 'suppression' | 'subscribed'> | null;

/** Returns the recorded facts by which a recipient was skipped: those of its reason; all before it were passed. */
export function recordedFacts({ reason, detail }: Reason, recorded: Recorded, topicId: string | null, at: Date): RecipientFacts {
  const facts = passing(true, topicId, at);
  if (reason === 'suppressed') return { ...facts, ...(recorded ?? { suppression: 'unknown' }) };
  if (reason !== 'unsubscribed') return facts;
  if (!detail) return { ...facts, ...(recorded ?? { subscribed: false }) };
  if ('topicId' in detail) return { ...facts, topicId: detail.topicId, inTopic: false };
  return 'snoozedUntil' in detail ? { ...facts, snoozedUntil: detail.snoozedUntil } : facts;
}

/** Returns the checks of the times and limits of a recipient's message, by the reason for which it was skipped. */
export function recordedAtSendTime({ reason, detail }: Reason): readonly Check[] {
  const stopped = reason === 'limit_reached' && detail ? detail : null;
  const window = stopped && 'window' in stopped ? stopped.window : null;
  const isLimit = stopped !== null && ('sendOnce' in stopped || 'throttle' in stopped || 'cap' in stopped);
  return [
    { check: 'window', window },
    { check: 'person_limits', reached: isLimit ? stopped : null },
  ];
}

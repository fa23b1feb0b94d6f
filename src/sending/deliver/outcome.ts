import { domainOf } from '../../platform/addresses';
import { metrics } from '../../platform/metrics';
import { maskTokens } from '../../records/emails';
import type { Email, Outcome } from '../../records/emails';
import type { EmailEvent } from '../../records/events';
import type { SmtpOutcome } from '@lettermill/smtp';
import { merged } from '../../platform/core';
import { classifyFailure } from '../../rules/bounce-class';
import type { Bounced, DeliveryVerdict } from '../../rules/bounce-class';
import { retryDelaySeconds } from '../../rules/webhook-retry';
import { deferredEventId, emailEventId } from '../../rules/email-events';
import type { EmailEventName } from '../../rules/email-events';
import { providerKeyOf } from '../../rules/mail-provider';
import { notBegun } from './verdicts';
import type { Failure } from './verdicts';

export interface OutcomeRules {
  readonly route: 'smarthost' | 'direct';
  readonly retrySeconds: readonly number[];
  readonly acceptedIsDelivered: boolean;
}

/** Turns the answer of the next server into a message's outcome. */
export function answerOutcome(email: Email, answer: SmtpOutcome, rules: OutcomeRules, at: Date): Outcome {
  if (!answer.accepted && answer.inDoubt) metrics.inDoubt.inc({ cause: 'connection_broke' });
  if (answer.accepted) return acceptedOutcome(email, `${answer.reply.code} ${answer.reply.text}`, rules, at);
  return failedOutcome(email, answer, rules, at);
}

/**
 * Returns the outcome of accepted mail: `sent`, and `delivered` where the next server's acceptance counts as delivery (docs/delivery.md,
 * Read the status of a message).
 */
export function acceptedOutcome(email: Email, reply: string, rules: Pick<OutcomeRules, 'acceptedIsDelivered'>, at: Date): Outcome {
  const sent = eventOf(email, at, 'email.sent', { response: reply });
  const set = { status: 'sent', sentAt: at, error: null, providerMessageId: providerMessageId(reply) } as const;
  if (!rules.acceptedIsDelivered) return { email, set, events: [sent], suppresses: 'never', accepted: true };
  const delivered = eventOf(email, at, 'email.delivered', { response: reply });
  const both = merged(set, { status: 'delivered', deliveredAt: at } as const);
  return { email, set: both, events: [sent, delivered], suppresses: 'never', accepted: true };
}

/** Extracts the queue id that most servers name in their reply to the final dot. */
export function providerMessageId(reply: string): string | null {
  return /(?:queued as|id=|queued with id)\s*<?([\w.@+-]{4,128})>?/i.exec(reply)?.[1] ?? null;
}

/** Returns the outcome of refused or cut-off mail: deferred, bounced or failed (docs/delivery.md, Refusals). */
export function failedOutcome(email: Email, failure: Failure, rules: OutcomeRules, at: Date): Outcome {
  const { phase, reply, message } = failure;
  // Servers repeat the envelope sender, and links that they dislike.
  const error = maskTokens(reply ? `${reply.code} ${reply.text}`.slice(0, 1000) : message);
  const { code = null, enhanced = null, text = '' } = reply ?? {};
  const verdict = classifyFailure({ phase, code, enhanced, words: text }, rules.route);
  return { ...outcomeOf(email, verdict, error, rules, at), ...(verdict.policy && { policy: verdict.policy }) };
}

function outcomeOf(email: Email, verdict: DeliveryVerdict, error: string, rules: OutcomeRules, at: Date): Outcome {
  if (verdict.kind === 'bounced') return bouncedOutcome(email, verdict, error, at);
  return verdict.kind === 'failed' ? finalFailure(email, error, at) : postponed(email, error, rules, at);
}

/** Puts a message off by the schedule's next wait; fails it when the schedule is used up. A campaign's list of recipients says so of its own (docs/events.md). */
export function postponed(email: Email, error: string, rules: OutcomeRules, at: Date): Outcome {
  const delay = retryDelaySeconds(rules.retrySeconds, email.attempts);
  if (delay === null) return finalFailure(email, error, at);
  const dueAt = new Date(at.getTime() + delay * 1000);
  const events = email.source === 'campaign' ? [] : [deferredEvent(email, error, dueAt, at)];
  return { email, set: { status: 'queued', dueAt, error }, events, suppresses: 'never', accepted: false };
}

function deferredEvent(email: Email, reason: string, dueAt: Date, at: Date): EmailEvent {
  const event = eventOf(email, at, 'email.deferred', { reason, attempts: email.attempts, nextAttemptAt: dueAt.toISOString() });
  return { ...event, id: deferredEventId(email._id, email.attempts) };
}

function bouncedOutcome(email: Email, { bounceType, suppresses }: Omit<Bounced, 'kind'>, error: string, at: Date): Outcome {
  return {
    email,
    set: { status: 'bounced', bounceType, error, bouncedAt: at },
    events: [eventOf(email, at, 'email.bounced', { bounceType, reason: error })],
    suppresses,
    accepted: false,
  };
}

export function finalFailure(email: Email, error: string, at: Date): Outcome {
  return {
    email,
    set: { status: 'failed', error },
    events: [eventOf(email, at, 'email.failed', { reason: error })],
    suppresses: 'never',
    accepted: false,
  };
}

/** Returns the outcome of a message whose domain was removed from its project, or is no longer verified. */
export const unverifiedFailure = (email: Email, at: Date): Outcome =>
  finalFailure(email, `unverified_domain: ${domainOf(email.fromEmail)} is not a verified domain of this project any more`, at);

/** Returns the outcome of a test message: logged as sent, never delivered. */
export function loggedOutcome(email: Email, at: Date): Outcome {
  return {
    email,
    set: { status: 'sent', sentAt: at, error: null },
    events: [eventOf(email, at, 'email.sent')],
    suppresses: 'never',
    accepted: false,
  };
}

/** Returns the outcome of a message to the simulator, by the local part of its recipient (docs/sending.md, Simulator). */
export function simulatedOutcome(email: Email, rules: OutcomeRules, at: Date): Outcome {
  const [local = ''] = (email.to.split('@')[0] ?? '').split('+');
  const delivered = acceptedOutcome(email, '250 2.0.0 OK (simulated)', { ...rules, acceptedIsDelivered: true }, at);
  const then = (set: Partial<Email>, ...events: EmailEvent[]): Outcome => ({
    ...delivered,
    set: { ...delivered.set, ...set },
    events: [...delivered.events, ...events],
    accepted: false,
  });
  const opened = eventOf(email, at, 'email.opened', { first: true });
  switch (local) {
    case 'delivered':
      return then({});
    case 'opened':
      return then({ status: 'opened', openedAt: at, opens: 1 }, opened);
    case 'clicked':
      return then(
        { status: 'clicked', openedAt: at, clickedAt: at, opens: 1, clicks: 1 },
        opened,
        eventOf(email, at, 'email.clicked', { first: true, url: 'https://example.com/' }),
      );
    case 'complained':
      return then({ status: 'complained', complainedAt: at }, eventOf(email, at, 'email.complained', { feedbackType: 'abuse' }));
    case 'softbounced':
      return email.attempts > 1 ? then({}) : failedOutcome(email, SOFT_BOUNCE, rules, at);
    case 'failed':
      return finalFailure(email, 'Simulated failure', at);
    default:
      return bouncedOutcome(email, { bounceType: 'hard', suppresses: 'never' }, '550 5.1.1 User unknown (simulated)', at);
  }
}

const SOFT_BOUNCE: Failure = {
  ...notBegun(''),
  phase: 'rcpt',
  cause: 'reply',
  reply: { code: 452, enhanced: '4.2.2', text: '4.2.2 Mailbox full (simulated)' },
};

/** Returns an event that delivery emits about a message. */
export const eventOf = (email: Email, at: Date, name: EmailEventName, data: Readonly<Record<string, unknown>> = {}): EmailEvent => ({
  id: emailEventId(email._id, name),
  projectId: email.projectId,
  name,
  contactId: email.contactId,
  emailId: email._id,
  data: merged({ source: email.source }, data),
  testMode: email.testMode,
  at,
  depth: email.depth ?? 0,
});

/** Counts the outcomes of attempts, equal ones together. */
export function noteOutcomes(outcomes: readonly Outcome[]): void {
  const alike = new Map<string, { readonly labels: Labels; count: number }>();
  for (const outcome of outcomes) {
    const { source, to } = outcome.email;
    const labels = { kind: source, outcome: classOf(outcome), provider: providerKeyOf(domainOf(to)) ?? OTHER };
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
    const provider = known.get(domain) ?? providerKeyOf(domain) ?? OTHER;
    known.set(domain, provider);
    counts.set(provider, (counts.get(provider) ?? 0) + 1);
  }
  for (const [provider, count] of counts) metrics.outcomes.inc({ kind: 'campaign', outcome: 'accepted', provider }, count);
}

/** Providers that metrics do not tell apart. */
const OTHER = 'other';

type Labels = Readonly<Record<'kind' | 'outcome' | 'provider', string>>;

function classOf({ accepted, set: { status } }: Outcome): string {
  if (accepted) return 'accepted';
  if (status === 'queued') return 'deferred';
  return status === 'bounced' || status === 'failed' ? status : 'logged';
}

import type { SmtpOutcome } from '@lettermill/smtp';
import type { Core } from '../../platform/core';
import { matcherOf } from '../../rules/provider-rules';
import type { ProviderRule } from '../../rules/provider-rules';
import { MeasureBook } from '../provider-measures';
import type { Measure } from '../provider-measures';
import { NO_LEAVE } from './taker';
import type { Leave, Waits } from './transport';

/** A rate lets this much through at once. */
const BURST_MS = 1_000;
/** Messages that may go within this time are kept in memory. */
const HELD_MS = 1_000;
const SOON = { wait: 'soon' } as const;

/** The mail of this worker to a provider. */
interface Mail {
  readonly rule: ProviderRule;
  readonly matches: readonly ((reply: string) => boolean)[];
  busy: number;
  /** When the next message may go by the rate, and when the next of those that wait in the ledger. */
  nextAt: number;
  laterAt: number;
}

/**
 * Keeps to the rules for providers: messages on the wire at once, a rate, and what their replies lead to. Limits are this worker's; what follows from replies is
 * stored, and every worker keeps to it within a second.
 */
export class ProviderLimits {
  private readonly mail: ReadonlyMap<string, Mail>;
  private readonly book: MeasureBook;

  /** Calls `changed` when one that had to wait may go. */
  constructor(
    core: Pick<Core, 'log' | 'config' | 'dns'>,
    rules: readonly ProviderRule[],
    private readonly changed: () => void,
    private readonly now: () => number = Date.now,
  ) {
    this.book = new MeasureBook(core, rules);
    this.mail = new Map(
      rules.map((rule) => [rule.provider, { rule, matches: rule.on.map(({ reply }) => matcherOf(reply)), busy: 0, nextAt: 0, laterAt: 0 }]),
    );
  }

  /** Returns why a message to a provider has to wait; null when it need not. */
  waits(provider: string): Waits | null {
    const mail = this.mail.get(provider);
    if (!mail) return null;
    const now = this.now();
    const suspended = this.suspendedUntil(provider, now);
    if (suspended > now) return { laterMs: suspended - now };
    if (mail.rule.connections !== undefined && mail.busy >= mail.rule.connections) return SOON;
    return this.waitsForRate(provider, mail, now);
  }

  /** Counts a message to a provider as begun. */
  take(provider: string): Leave {
    const mail = this.mail.get(provider);
    if (!mail) return NO_LEAVE;
    mail.busy++;
    mail.nextAt = Math.max(this.now(), mail.nextAt) + this.intervalOf(provider, mail, this.now());
    return () => {
      mail.busy--;
      this.changed();
    };
  }

  /** Notes what a server of the provider answered. */
  note(provider: string, projectId: string, outcome: SmtpOutcome): void {
    const mail = this.mail.get(provider);
    if (!mail || outcome.accepted || outcome.reply === null) return;
    const reply = `${outcome.reply.code} ${outcome.reply.text}`;
    for (const [at, matches] of mail.matches.entries()) if (matches(reply)) this.book.note({ provider, at, projectId, reply });
  }

  private waitsForRate(provider: string, mail: Mail, now: number): Waits | null {
    const interval = this.intervalOf(provider, mail, now);
    const waitMs = mail.nextAt - Math.max(BURST_MS, interval / 2) - now;
    if (interval === 0 || waitMs <= 0) return null;
    if (waitMs <= HELD_MS) {
      setTimeout(this.changed, waitMs + 1).unref();
      return SOON;
    }
    // Each that waits in the ledger has a moment of its own, so that they do not all come at once.
    mail.laterAt = Math.max(mail.laterAt, mail.nextAt) + interval;
    return { laterMs: mail.laterAt - now };
  }

  /** Returns the milliseconds between two messages; 0 where there is no rate. */
  private intervalOf(provider: string, { rule: { perMinute = Number.POSITIVE_INFINITY } }: Mail, now: number): number {
    const rates = this.measuresOf(provider, now).flatMap((measure) => measure.perMinute ?? []);
    return 60_000 / Math.min(perMinute, ...rates);
  }

  private suspendedUntil(provider: string, now: number): number {
    const suspended = this.measuresOf(provider, now).filter(({ perMinute }) => perMinute === undefined);
    return Math.max(0, ...suspended.map(({ until }) => until.getTime()));
  }

  private measuresOf(provider: string, now: number): readonly Measure[] {
    return this.book.of(provider).filter(({ until }) => until.getTime() > now);
  }
}

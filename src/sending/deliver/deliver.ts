import { answer } from '../../platform/async';
import type { Core } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import { tracing } from '../../platform/tracing';
import type { Envelope, MailFeed, SmtpOutcome, StreamedMail } from '../../message/smtp-client';
import { TemplateRenderError, TemplateSyntaxError } from '../../message/template';
import { claim, claimed } from '../../records/emails';
import type { Attempt, Email } from '../../records/emails';
import { isSimulated } from '../../rules/simulator';
import { beyondFence } from '../restore-fence';
import { wireMail } from './compose';
import type { WireMail } from './compose';
import { acceptedOutcome, failedOutcome, finalFailure, loggedOutcome, noteOutcomes, postponed, simulatedOutcome } from './outcome';
import type { Outcome, OutcomeRules } from './outcome';
import { withoutBlocked } from './recheck';
import { untilDone } from './record';
import type { Finished, Recorder } from './record';
import type { Transport } from './transport';

/*
 * One message's delivery, in the order in which it happens. A run of a pump (pump.ts) finds what is due; the engine (engine.ts) has many messages at each
 * step at once, and decides when.
 *
 * 1. `leaveOut`: what must wait for the operator, and what its recipient does not want any more (recheck.ts), goes no further.
 * 2. `claimAll`: from here on the message is this worker's, until its lease ends.
 * 3. `Lane.send`: composes the mail (compose.ts), hands it to the exchanger (transport.ts) and judges the answer (outcome.ts). What goes nowhere is
 *    simulated or logged.
 * 4. `recordAll`: emits the events, suppresses what bounced, counts, and writes the outcome into the row (record.ts). A put-off message has its next time
 *    there.
 */

/** Leaves out what a restore holds back, and what was suppressed, opted out of or cancelled meanwhile. */
export async function leaveOut(
  core: Core,
  due: readonly Email[],
  now: Date,
): Promise<{ readonly held: number; readonly wanted: readonly Email[] }> {
  const open = await answer(() => beyondFence(core, due));
  return { held: due.length - open.length, wanted: await answer(() => withoutBlocked(core, open, now)) };
}

/** Claims messages under one attempt. Resolves to the ids of those that no other worker has claimed, also when the claim itself was not answered. */
export async function claimAll(
  core: Pick<Core, 'log'>,
  emails: readonly Email[],
  attempt: Attempt,
  now: Date,
): Promise<ReadonlySet<string>> {
  const ids = emails.map(({ _id }) => _id);
  const ours = await answer(() => claim(ids, attempt, now)).catch((error: unknown) => {
    core.log.warn({ err: error }, 'A claim was not answered');
    return untilDone(core, 'A claim is not known', () => claimed(attempt));
  });
  noteClaimed(emails.filter(({ _id }) => ours.has(_id)));
  return ours;
}

/** Delivery's clock: the workflow's time, so that tests can skip it. */
export type Clock = () => Date;

/** The mail for the wire, or the outcome when there is none. */
export type Made = WireMail | Outcome;

/** Keeps only the code of a reply in spans: its text may contain personal data. */
const repliedWith = ({ accepted, reply }: SmtpOutcome) => ({ 'smtp.accepted': accepted, ...(reply && { 'smtp.reply_code': reply.code }) });

/** Sends messages one after another: over one SMTP connection, or to the exchangers of each. */
export class Lane {
  constructor(
    private readonly core: Core,
    private readonly transport: Transport,
    private readonly rules: OutcomeRules,
  ) {}

  /** Sends one message. Never rejects: a failure is an outcome too. `make` composes the mail, `following` is the envelope that this lane gets next, at once. */
  send(email: Email, clock: Clock, make?: () => Made | Promise<Made>, following?: Envelope): Promise<Outcome> {
    const traced = email.trace === undefined ? null : tracing();
    const attempt = (): Promise<Outcome> => this.attempt(email, clock, make, following);
    return traced ? traced.attempt(email, attempt, ({ set }) => ({ 'lettermill.status': set.status ?? 'none' })) : attempt();
  }

  private async attempt(email: Email, clock: Clock, make?: () => Made | Promise<Made>, following?: Envelope): Promise<Outcome> {
    if (isSimulated(email.to, this.core.config.PLATFORM_DOMAIN)) return simulatedOutcome(email, this.rules, clock());
    if (email.testMode) return loggedOutcome(email, clock());
    const mail = await this.compose(email, clock, make ?? (() => wireMail(this.core, email)));
    if ('set' in mail) return mail;
    return this.judge(email, await this.exchange(email, mail, following), clock());
  }

  /** Whether it takes a stream. */
  get streams(): boolean {
    return this.transport.stream !== undefined;
  }

  /** Sends the live mail of a feed. May end before the feed does, and be called again. */
  async stream<M extends StreamedMail>(feed: MailFeed<M>): Promise<void> {
    await this.transport.stream?.(feed);
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  destroy(): void {
    this.transport.destroy();
  }

  private async compose(email: Email, clock: Clock, make: () => Made | Promise<Made>): Promise<Made> {
    try {
      return await make();
    } catch (error) {
      if (error instanceof TemplateRenderError || error instanceof TemplateSyntaxError) return finalFailure(email, error.message, clock());
      this.core.log.error({ err: error, emailId: email._id }, 'A message could not be composed');
      return postponed(email, 'The message could not be composed', this.rules, clock());
    }
  }

  private exchange(email: Email, { envelope, message }: WireMail, following?: Envelope): Promise<SmtpOutcome> {
    const traced = email.trace === undefined ? null : tracing();
    const exchange = (): Promise<SmtpOutcome> => this.transport.send(envelope, message, following);
    return traced ? traced.exchange(exchange, repliedWith) : exchange();
  }

  /** Turns the result of an SMTP transaction into the message's outcome. */
  judge(email: Email, result: SmtpOutcome, at: Date): Outcome {
    if (!result.accepted && result.inDoubt) metrics.inDoubt.inc({ cause: 'connection_broke' });
    if (result.accepted) return acceptedOutcome(email, `${result.reply.code} ${result.reply.text}`, this.rules, at);
    return failedOutcome(email, result, this.rules, at);
  }
}

/** Records outcomes; tries until nothing can be sent twice any more. */
export async function recordAll<T extends Finished>(recorder: Recorder<T>, finished: readonly T[]): Promise<void> {
  noteOutcomes(finished);
  await recorder.record(finished);
}

/** Counts messages whose attempt begins, and how long those that were never tried have waited. */
function noteClaimed(emails: readonly Email[]): void {
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

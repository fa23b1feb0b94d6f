import type { Core } from '../../platform/core';
import type { Email } from '../../records/emails';
import type { Envelope, MailFeed, SmtpOutcome, StreamedMail } from '../../message/smtp-client';
import { metrics } from '../../platform/metrics';
import { TemplateRenderError, TemplateSyntaxError } from '../../message/template';
import { isSimulated } from '../../rules/simulator';
import { tracing } from '../../platform/tracing';
import { wireMail } from './compose';
import type { WireMail } from './compose';
import { acceptedOutcome, failedOutcome, finalFailure, loggedOutcome, postponed, simulatedOutcome } from './outcome';
import type { Outcome, OutcomeRules } from './outcome';
import type { Transport } from './transport';

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
    return 'set' in mail ? mail : this.transmit(email, mail, clock, following);
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

  private async transmit(email: Email, { envelope, message }: WireMail, clock: Clock, following?: Envelope): Promise<Outcome> {
    const traced = email.trace === undefined ? null : tracing();
    const exchange = (): Promise<SmtpOutcome> => this.transport.send(envelope, message, following);
    return this.judge(email, await (traced ? traced.exchange(exchange, repliedWith) : exchange()), clock());
  }

  /** Turns the result of an SMTP transaction into the message's outcome. */
  judge(email: Email, result: SmtpOutcome, at: Date): Outcome {
    if (!result.accepted && result.inDoubt) metrics.inDoubt.inc({ cause: 'connection_broke' });
    if (result.accepted) return acceptedOutcome(email, `${result.reply.code} ${result.reply.text}`, this.rules, at);
    return failedOutcome(email, result, this.rules, at);
  }
}

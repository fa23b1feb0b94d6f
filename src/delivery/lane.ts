import type { Core } from '../context';
import type { Email } from '../emails/model';
import { SmtpConnection } from '../mail/smtp-client';
import type { SmtpRoute } from '../mail/smtp-url';
import { TemplateRenderError, TemplateSyntaxError } from '../render';
import { isSimulated } from '../rules/simulator';
import { wireMail } from './compose';
import type { WireMail } from './compose';
import { acceptedOutcome, failedOutcome, finalFailure, loggedOutcome, postponed, simulatedOutcome } from './outcome';
import type { Outcome, OutcomeRules } from './outcome';

/** The time that delivery goes by: the workflow's, so that tests can skip it. */
export type Clock = () => Date;

/** An idle connection is ended before most servers would do it. */
const IDLE_MS = 20_000;

/** One SMTP connection and the messages that go over it, one after another. */
export class Lane {
  private readonly connection: SmtpConnection;
  private readonly rules: OutcomeRules;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly core: Core,
    route: SmtpRoute,
    mayWrite: () => boolean,
  ) {
    this.connection = new SmtpConnection({ route, clientName: core.config.BOUNCE_DOMAIN, mayWrite });
    this.rules = { retrySeconds: core.config.SMTP_RETRY_SECONDS, acceptedIsDelivered: core.config.SMTP_ACCEPTED_IS_DELIVERED };
  }

  /** Never rejects: whatever happens is an outcome. `made` is the mail when it was made before. */
  async send(email: Email, clock: Clock, made?: WireMail | Outcome): Promise<Outcome> {
    if (isSimulated(email.to, this.core.config.PLATFORM_DOMAIN)) return simulatedOutcome(email, this.rules, clock());
    if (email.testMode) return loggedOutcome(email, clock());
    const mail = made ?? (await this.compose(email, clock));
    return 'set' in mail ? mail : this.transmit(email, mail, clock);
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    await this.connection.close();
  }

  destroy(): void {
    clearTimeout(this.idle);
    this.connection.destroy();
  }

  private async compose(email: Email, clock: Clock): Promise<WireMail | Outcome> {
    try {
      return await wireMail(this.core, email);
    } catch (error) {
      if (error instanceof TemplateRenderError || error instanceof TemplateSyntaxError) return finalFailure(email, error.message, clock());
      this.core.log.error({ err: error, emailId: email._id }, 'A message could not be composed');
      return postponed(email, 'The message could not be composed', this.rules, clock());
    }
  }

  private async transmit(email: Email, { envelope, bytes }: WireMail, clock: Clock): Promise<Outcome> {
    clearTimeout(this.idle);
    const result = await this.connection.send(envelope, bytes);
    this.idle = setTimeout(() => void this.connection.close(), IDLE_MS).unref();
    if (result.accepted) return acceptedOutcome(email, `${result.reply.code} ${result.reply.text}`, this.rules, clock());
    return failedOutcome(email, result, this.rules, clock());
  }
}

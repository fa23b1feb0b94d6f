import type { MailFeed, SmtpOutcome } from '@lettermill/smtp';
import type { Core } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import { moveToTransport } from '../../records/emails';
import type { Email } from '../../records/emails';
import { DEFAULT_TRANSPORT } from '../../rules/transports';
import type { Routing } from './routing';
import type { Answered, OwnedEnvelope, OwnedMail, Transport } from './transport';
import { failedBeforeMail, notBegun } from './verdicts';

/** A transport as a lane has it. */
interface Over {
  readonly transport: Transport;
  /** To the recipients' own servers. */
  readonly isDirect: boolean;
}

/** The transports of a lane, each of which connects when it is first used. */
export class RoutedTransport implements Transport {
  constructor(
    private readonly core: Pick<Core, 'log'>,
    private readonly routing: Routing,
    private readonly over: ReadonlyMap<string, Over>,
  ) {}

  /**
   * Sends a message over its transport, and over the next one while connections fail before the end of the message. The row of the message names the next one
   * before anything is sent over it: anyone who takes over the message after a crash knows which server may have it.
   */
  async send(envelope: OwnedEnvelope, message: string): Promise<Answered> {
    const tried = new Set<string>();
    let name = envelope.over ?? DEFAULT_TRANSPORT;
    for (;;) {
      tried.add(name);
      const { transport, isDirect } = this.named(name);
      const outcome = await transport.send(envelope, message);
      note(name, outcome);
      this.routing.note(envelope, outcome);
      const next = envelope.email && mayGoOver(outcome, isDirect) ? await this.routing.next(envelope.email, tried) : undefined;
      if (next === undefined || !(await this.moved(envelope.email as Email, next))) return { ...outcome, over: name };
      metrics.transportFallbacks.inc({ transport: name });
      name = next;
    }
  }

  /** Sends the mail of a feed, what follows each other over one transport as one stream. Nothing goes over another transport here: it is tried again by the queue. */
  async stream<M extends OwnedMail>(feed: MailFeed<M>): Promise<void> {
    const run: { first: M | undefined; after: M | undefined } = { first: feed.next(), after: undefined };
    while (run.first !== undefined) {
      const name = overOf(run.first);
      run.after = undefined;
      await this.named(name).transport.stream<M>({
        next: () => {
          const { first } = run;
          if (first !== undefined) run.first = undefined;
          const next = first ?? (run.after === undefined ? feed.next() : undefined);
          if (next === undefined || overOf(next) === name) return next;
          run.after = next;
          return undefined;
        },
        done: (mail, outcome) => {
          note(name, outcome);
          this.routing.note(mail.envelope, outcome);
          feed.done(mail, over(outcome, name));
        },
      });
      // Its server is left alone since.
      if (run.first !== undefined) {
        this.routing.note(run.first.envelope, LEFT_ALONE);
        feed.done(run.first, over(LEFT_ALONE, name));
      }
      run.first = run.after ?? feed.next();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.over.values()].map(({ transport }) => transport.close()));
    await this.routing.close();
  }

  destroy(): void {
    for (const { transport } of this.over.values()) transport.destroy();
  }

  private named(name: string): Over {
    const found = this.over.get(name);
    if (!found) throw new Error(`There is no transport ${name}`);
    return found;
  }

  private async moved(email: Email, next: string): Promise<boolean> {
    return moveToTransport(email, next).catch((err: unknown) => {
      this.core.log.warn({ err, emailId: email._id }, 'A message could not go over another transport');
      return false;
    });
  }
}

const overOf = ({ envelope }: OwnedMail): string => envelope.over ?? DEFAULT_TRANSPORT;

const over = (outcome: SmtpOutcome, name: string): Answered => ({ ...outcome, over: name });

const LEFT_ALONE = notBegun('waits: mail over its transport is paused');

/**
 * Returns whether no server has a message, and another transport may get it through. What a server says about the message counts for all
 * transports.
 */
function mayGoOver(outcome: SmtpOutcome, isDirect: boolean): boolean {
  if (outcome.accepted || outcome.inDoubt || outcome.cause === 'lease') return false;
  if (failedBeforeMail(outcome)) return !isDirect || outcome.reply === null || outcome.reply.code < 500;
  return outcome.cause === 'timeout' || outcome.cause === 'reset';
}

function note(transport: string, outcome: SmtpOutcome): void {
  const result = outcome.accepted ? 'accepted' : outcome.reply === null ? 'cut' : outcome.reply.code < 500 ? 'deferred' : 'refused';
  metrics.transportOutcomes.inc({ transport, outcome: result });
}

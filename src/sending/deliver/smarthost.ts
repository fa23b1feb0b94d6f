import type { Logger } from '../../platform/log';
import type { Envelope, MailFeed, SmtpOutcome, StreamedMail } from '../../message/smtp-client';
import { Breaker } from '../../platform/async';
import type { BreakerTimes } from '../../platform/async';
import { SMARTHOST_TIMES, verdictOf } from './gate';
import type { Answer, Gate } from './gate';
import type { Transport } from './transport';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Slows sending while the smarthost says 421, refuses all mail temporarily, or does not answer: nothing is begun for a while, then one message, then twice
 * as many with each that it accepts. Messages that wait meanwhile spend no attempt.
 */
export class SmarthostGate implements Gate {
  changed: () => void = () => undefined;
  private readonly breaker: Breaker;
  private busy = 0;
  private allowance: number;

  constructor(
    private readonly lanes: number,
    log: Pick<Logger, 'warn'>,
    times: BreakerTimes = SMARTHOST_TIMES,
  ) {
    this.allowance = lanes;
    this.breaker = new Breaker(times, (pauseMs, failures) => {
      log.warn({ pauseMs, failures }, 'The smarthost is left alone for a while');
      setTimeout(() => this.changed(), pauseMs + 1).unref();
    });
  }

  get open(): boolean {
    return this.breaker.restMs === 0;
  }

  ask(): Answer {
    if (!this.open || this.busy >= this.allowance) return { wait: 'all' };
    this.busy++;
    return { go: () => void this.busy-- };
  }

  /** Wraps a connection to the smarthost: waits while the smarthost is left alone, and notes the outcomes. */
  watched(connection: Required<Transport>): Transport {
    return {
      send: async (envelope: Envelope, message: string, following?: Envelope): Promise<SmtpOutcome> => {
        while (!this.open) await pause(this.breaker.restMs);
        const outcome = await connection.send(envelope, message, following);
        this.note(outcome);
        return outcome;
      },
      stream: async <M extends StreamedMail>(feed: MailFeed<M>): Promise<void> => {
        while (!this.open) await pause(this.breaker.restMs);
        await connection.stream<M>({
          next: () => (this.open ? feed.next() : undefined),
          done: (mail, outcome) => {
            this.note(outcome);
            feed.done(mail, outcome);
          },
        });
      },
      close: () => connection.close(),
      destroy: () => connection.destroy(),
    };
  }

  private note(outcome: SmtpOutcome): void {
    this.breaker.note(verdictOf(outcome));
    this.allowance = this.breaker.onTrial ? 1 : Math.min(this.lanes, this.allowance * 2);
  }
}

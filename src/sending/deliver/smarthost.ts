import type { MailFeed, SmtpOutcome } from '@lettermill/smtp';
import { domainOf } from '../../platform/addresses';
import { pause } from '../../platform/async';
import { Breaker } from '../../platform/fair';
import type { BreakerTimes } from '../../platform/fair';
import type { Logger } from '../../platform/log';
import { Flows } from './flows';
import { Taker, leaveAll } from './taker';
import type { Answer, Gate, Leave, OwnedEnvelope, OwnedMail, Passing, Transport } from './transport';
import { verdictOfServer } from './verdicts';

/** Short pauses, as all mail depends on the smarthost. */
const SMARTHOST_TIMES: BreakerTimes = { pausesMs: [1_000, 2_000, 4_000, 8_000, 15_000], storm: 20, stormMs: 10_000 };
const TRIAL_LANES = 2;
const ALL = { wait: 'all' } as const;
const SOON = { wait: 'soon' } as const;

/**
 * Slows sending while the smarthost says 421, refuses all mail temporarily, or does not answer, before it knows of a message: nothing is begun for a while,
 * then two messages of different projects to different domains, then twice as many with each that it accepts. Messages that wait meanwhile spend no
 * attempt. What fails later concerns the mail of a project to a domain (`flows.ts`).
 */
export class SmarthostGate implements Gate {
  changed: () => void = () => undefined;
  private readonly server: Taker;
  private readonly flows: Flows;
  /** The latest message that was begun. */
  private begun: Passing | null = null;

  constructor(lanes: number, log: Pick<Logger, 'warn'>, times: BreakerTimes = SMARTHOST_TIMES) {
    const breaker = new Breaker(times, (pauseMs, failures) => {
      log.warn({ pauseMs, failures }, 'Mail to the smarthost is paused');
      setTimeout(() => this.changed(), pauseMs + 1).unref();
    });
    this.server = new Taker(breaker, { first: lanes, most: lanes, trial: Math.min(TRIAL_LANES, lanes) });
    this.flows = new Flows(lanes, () => this.changed());
  }

  get open(): boolean {
    return this.server.restMs === 0;
  }

  ask(mail: Passing): Answer {
    if (!this.open || !this.server.hasRoom) return ALL;
    const waits = this.flows.waits(mail);
    if (waits) return waits;
    return this.isTriedFor(mail) ? SOON : { go: this.begin(mail, this.flows.take(mail)) };
  }

  lend(projectId: string): Leave | null {
    const mail = { projectId, to: '' };
    if (!this.open || !this.server.hasRoom || this.isTriedFor(mail)) return null;
    const leave = this.flows.lend(projectId);
    return leave && this.begin(mail, leave);
  }

  mayTry(mail: Passing): boolean {
    return this.flows.mayTry(mail);
  }

  /** Wraps a connection to the smarthost: waits while the smarthost is left alone, and notes the outcomes. A stream ends then. */
  watched(connection: Transport): Transport {
    return {
      send: async (envelope: OwnedEnvelope, message: string): Promise<SmtpOutcome> => {
        while (!this.open) await pause(this.server.restMs);
        const outcome = await connection.send(envelope, message);
        this.server.note(verdictOfServer(outcome));
        this.flows.note(envelope, outcome);
        return outcome;
      },
      stream: <M extends OwnedMail>(feed: MailFeed<M>): Promise<void> =>
        connection.stream<M>({
          next: () => (this.open ? feed.next() : undefined),
          done: (mail, outcome) => {
            this.server.note(verdictOfServer(outcome));
            this.flows.noteStreamed(mail.envelope, outcome);
            feed.done(mail, outcome);
          },
        }),
      close: () => connection.close(),
      destroy: () => connection.destroy(),
    };
  }

  private begin(mail: Passing, leave: Leave): Leave {
    this.begun = mail;
    return leaveAll(this.server.take(), leave);
  }

  /** Returns whether mail of the project, or to the domain, is on the wire while the smarthost is on trial. */
  private isTriedFor({ projectId, to }: Passing): boolean {
    if (!this.server.onTrial || this.server.busy === 0 || this.begun === null) return false;
    return this.begun.projectId === projectId || domainOf(this.begun.to) === domainOf(to);
  }
}

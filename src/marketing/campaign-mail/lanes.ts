import type { Core } from '../../platform/core';
import type { Outcome } from '../../records/emails';
import type { DkimKey } from '../../message/dkim';
import type { MailFeed, SmtpOutcome } from '@lettermill/smtp';
import { merged } from '../../platform/core';
import { bytesOf } from './mail';
import type { CampaignMessage } from './mail';
import { envelopeOf } from '../../sending/deliver';
import type { Engine, Lane } from '../../sending/deliver';
import type { SliceMail, SliceStream } from './stream';

/** The messages of a slice, each made on demand. */
export interface Messages {
  readonly count: number;
  readonly make: (at: number) => CampaignMessage;
  /** The messages that are sent in streams; null if each message is sent separately. */
  readonly stream: SliceStream | null;
}

interface LaneTools {
  readonly core: Core;
  readonly engine: Pick<Engine, 'borrow' | 'giveBack' | 'lendable' | 'mayTry' | 'open' | 'paused'>;
}

/** Messages that are made together: few enough to be sent before the garbage collector scans them, and enough for lanes and mail server to have several. */
const BURST = 50;

interface ReadyMail extends CampaignMessage {
  readonly made: string | Outcome | Promise<string>;
}

function readyMail(core: Core, dkim: DkimKey | null, message: CampaignMessage): ReadyMail {
  const made = bytesOf(core, dkim, message);
  // A failure to sign becomes the message's outcome when it is sent.
  if (made instanceof Promise) made.catch(() => undefined);
  return merged(message, { made });
}

/**
 * Sends messages over all lanes that campaign mail may have, each of which sends one after another, so that the slice is soon recorded
 * while the next one has the lanes. Resolves to the outcomes of messages that were sent separately; the stream knows the ones that it has
 * seen accepted.
 */
export async function transmit({ core, engine }: LaneTools, { projectId, dkim }: Sender, messages: Messages): Promise<readonly Outcome[]> {
  const slice = new Transmission({ core, engine }, dkim, messages);
  const lanes = Math.min(engine.lendable, messages.count);
  const work = async (): Promise<void> => {
    while (slice.left > 0) {
      const loan = await engine.borrow(projectId);
      try {
        if (loan.lane.streams) await slice.stream(loan.lane);
        await slice.oneByOne(loan.lane);
      } finally {
        engine.giveBack(loan);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return slice.finished;
}

/** The campaign's project, and the key that signs its mail. */
interface Sender {
  readonly projectId: string;
  readonly dkim: DkimKey | null;
}

/** Returns the outcome of a message that may not be tried now: its row waits in the queue for the next attempt. */
const waits = (message: string): SmtpOutcome => ({
  ...{ accepted: false, phase: 'connect', cause: 'refused', reply: null, inDoubt: false },
  message,
});
const LEFT_ALONE = waits('waits for its destination, which is left alone for a while');
const PAUSED = waits('waits until sending is resumed, which an operator has paused');

class Transmission {
  readonly finished: Outcome[] = [];
  private readonly ready: ReadyMail[] = [];
  /** Places of messages that cannot go in a stream. */
  private readonly byThemselves: number[] = [];
  private next = 0;

  constructor(
    private readonly tools: LaneTools,
    private readonly dkim: DkimKey | null,
    private readonly messages: Messages,
  ) {}

  get left(): number {
    return this.ready.length + this.byThemselves.length + this.messages.count - this.next;
  }

  /** Sends over a lane until nothing is left, or nothing may be begun. */
  async stream(lane: Lane): Promise<void> {
    const { stream } = this.messages;
    if (stream === null) return;
    const feed: MailFeed<SliceMail> = {
      next: () => this.nextOf(stream, lane),
      done: (mail, outcome) => this.done(stream, lane, mail, outcome),
    };
    while (this.tools.engine.open && this.next < this.messages.count) await lane.stream(feed);
  }

  /** Does the same for the messages that are sent separately. */
  async oneByOne(lane: Lane): Promise<void> {
    while (this.tools.engine.open) {
      const mail = this.take();
      if (mail === undefined) return;
      this.finished.push(await this.send(lane, mail));
    }
  }

  private async send(lane: Lane, { email, envelope, made }: ReadyMail): Promise<Outcome> {
    const { core, engine } = this.tools;
    const message = await lane.compose(email, CLOCK, made);
    if (typeof message !== 'string') return message;
    if (!engine.mayTry(email)) return lane.judge(email, this.wait, CLOCK());
    const answer = await lane.exchange(email, envelope ?? envelopeOf(core, email), message);
    return lane.judge(email, answer, CLOCK());
  }

  /** Outcome of a message that may not be tried. */
  private get wait(): SmtpOutcome {
    return this.tools.engine.paused ? PAUSED : LEFT_ALONE;
  }

  private nextOf(stream: SliceStream, lane: Lane): SliceMail | undefined {
    while (this.next < this.messages.count) {
      const mail = stream.mailAt(this.next++);
      if (mail === null) this.byThemselves.push(this.next - 1);
      else if (this.tools.engine.mayTry(mail.envelope)) return mail;
      else this.done(stream, lane, mail, this.wait);
    }
    return undefined;
  }

  private done(stream: SliceStream, lane: Lane, mail: SliceMail, outcome: SmtpOutcome): void {
    if (outcome.accepted) {
      stream.sent.push({ mail, lane, reply: outcome.reply, at: Date.now() });
      return;
    }
    const { email } = this.messages.make(mail.place);
    this.finished.push(lane.judge(email, outcome, CLOCK()));
  }

  private take(): ReadyMail | undefined {
    const { count } = this.messages;
    while (this.byThemselves.length > 0 && this.ready.length < BURST) this.prepare(this.byThemselves.shift() ?? 0);
    while (this.next < count && (this.ready.length === 0 || this.next % BURST > 0)) this.prepare(this.next++);
    return this.ready.shift();
  }

  private prepare(place: number): void {
    this.ready.push(readyMail(this.tools.core, this.dkim, this.messages.make(place)));
  }
}

const CLOCK = (): Date => new Date();

import type { Core } from '../../platform/core';
import type { Outcome } from '../../records/emails';
import type { DkimKey } from '../../message/dkim';
import type { Envelope, MailFeed, SmtpOutcome } from '../../message/smtp-client';
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
  /** The messages that go in streams; null when each message goes by itself. */
  readonly stream: SliceStream | null;
}

interface LaneTools {
  readonly core: Core;
  readonly engine: Pick<Engine, 'borrow' | 'giveBack' | 'lendable'>;
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
 * Puts messages on the wire over all lanes that campaign mail may have, each of which sends one after another, so that the slice is soon recorded while the
 * next one has the lanes. Resolves to the outcomes of messages that went by themselves; the stream knows the ones that it has seen accepted.
 */
export async function transmit({ core, engine }: LaneTools, dkim: DkimKey | null, messages: Messages): Promise<readonly Outcome[]> {
  const slice = new Transmission(core, dkim, messages);
  const lanes = Math.min(engine.lendable, messages.count);
  const work = async (): Promise<void> => {
    if (slice.left === 0) return;
    const lane = await engine.borrow();
    try {
      if (lane.streams) await slice.stream(lane);
      await slice.oneByOne(lane, lanes);
    } finally {
      engine.giveBack(lane);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return slice.finished;
}

class Transmission {
  readonly finished: Outcome[] = [];
  private readonly ready: ReadyMail[] = [];
  /** Places of messages that cannot go in a stream. */
  private readonly byThemselves: number[] = [];
  private next = 0;

  constructor(
    private readonly core: Core,
    private readonly dkim: DkimKey | null,
    private readonly messages: Messages,
  ) {}

  get left(): number {
    return this.ready.length + this.byThemselves.length + this.messages.count - this.next;
  }

  async stream(lane: Lane): Promise<void> {
    const { stream } = this.messages;
    if (stream === null) return;
    const feed: MailFeed<SliceMail> = { next: () => this.nextOf(stream), done: (mail, outcome) => this.done(stream, lane, mail, outcome) };
    while (this.next < this.messages.count) await lane.stream(feed);
  }

  async oneByOne(lane: Lane, lanes: number): Promise<void> {
    for (let mail = this.take(); mail;) {
      // The last ones are left for the lane that is free first.
      const following = this.left >= lanes ? this.take() : undefined;
      this.finished.push(await this.send(lane, mail, following?.envelope));
      mail = following ?? this.take();
    }
  }

  private async send(lane: Lane, { email, envelope, made }: ReadyMail, following: Envelope | undefined): Promise<Outcome> {
    const message = await lane.compose(email, CLOCK, made);
    if (typeof message !== 'string') return message;
    const answer = await lane.exchange(email, envelope ?? envelopeOf(this.core, email), message, following);
    return lane.judge(email, answer, CLOCK());
  }

  private nextOf(stream: SliceStream): SliceMail | undefined {
    while (this.next < this.messages.count) {
      const mail = stream.mailAt(this.next++);
      if (mail !== null) return mail;
      this.byThemselves.push(this.next - 1);
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
    this.ready.push(readyMail(this.core, this.dkim, this.messages.make(place)));
  }
}

const CLOCK = (): Date => new Date();

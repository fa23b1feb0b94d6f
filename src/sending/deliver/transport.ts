import { SmtpConnection } from '../../message/smtp-client';
import type { Envelope, MailFeed, SmtpOptions, SmtpOutcome, StreamedMail } from '../../message/smtp-client';

/** What hands a message over: the smarthost's connection of a lane, or the way to all mail exchangers. */
export interface Transport {
  /** Never rejects. `following` is the envelope of the next call, when that is known to come at once. */
  send(envelope: Envelope, message: string, following?: Envelope): Promise<SmtpOutcome>;
  /** Sends what a feed has, one after another; may end before, when nothing is to be sent for the moment. Absent where each message has a way of its own. */
  stream?<M extends StreamedMail>(feed: MailFeed<M>): Promise<void>;
  /** Ends what is open, after what is being sent. */
  close(): Promise<void>;
  /** Cuts what is open, at once. */
  destroy(): void;
}

/** An idle connection is ended before most servers would do it. */
const IDLE_MS = 20_000;

/** A connection that is ended when nothing was sent over it for a while. */
export class KeptConnection implements Transport {
  private readonly connection: SmtpConnection;
  private idle: NodeJS.Timeout | undefined;

  /** `ended` is called when it was idle for too long. */
  constructor(
    options: SmtpOptions,
    private readonly ended: () => void = () => undefined,
  ) {
    this.connection = new SmtpConnection(options);
  }

  get open(): boolean {
    return this.connection.open;
  }

  async send(envelope: Envelope, message: string, following?: Envelope): Promise<SmtpOutcome> {
    clearTimeout(this.idle);
    const outcome = await this.connection.send(envelope, message, following);
    if (following === undefined) this.endWhenIdle();
    return outcome;
  }

  async stream<M extends StreamedMail>(feed: MailFeed<M>): Promise<void> {
    clearTimeout(this.idle);
    await this.connection.stream(feed);
    this.endWhenIdle();
  }

  private endWhenIdle(): void {
    this.idle = setTimeout(() => {
      this.ended();
      void this.connection.close();
    }, IDLE_MS).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    await this.connection.close();
  }

  destroy(): void {
    clearTimeout(this.idle);
    this.connection.destroy();
  }
}

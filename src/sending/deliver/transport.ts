import { SmtpConnection } from '../../message/smtp-client';
import type { Envelope, MailFeed, SmtpOptions, SmtpOutcome, StreamedMail, StreamRoom } from '../../message/smtp-client';

/** Hands a message to a mail server: a lane's connection to the smarthost, or the route to all mail exchangers. */
export interface Transport {
  /** Sends one message. Never rejects. `following` is the envelope of the next call, when that is known to come at once. */
  send(envelope: Envelope, message: string, following?: Envelope): Promise<SmtpOutcome>;
  /** Sends the mail of a feed, one after another; may end before the feed does, when it has nothing for the moment. Absent where each message has its own route. */
  stream?<M extends StreamedMail>(feed: MailFeed<M>): Promise<void>;
  /** Closes open connections once what is being sent is done. */
  close(): Promise<void>;
  /** Cuts open connections at once. */
  destroy(): void;
}

/** Shorter than the idle timeout of most servers. */
const IDLE_MS = 20_000;

/** A connection that is closed after a while of nothing to send. */
export class KeptConnection implements Transport {
  private readonly connection: SmtpConnection;
  private idle: NodeJS.Timeout | undefined;

  /** Calls `ended` when it was idle for too long. Messages of streams are composed in `room`, which connections may share. */
  constructor(
    options: SmtpOptions,
    private readonly ended: () => void = () => undefined,
    room?: StreamRoom,
  ) {
    this.connection = new SmtpConnection(options, room);
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

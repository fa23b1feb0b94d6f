import type { Envelope, SmtpFailure, SmtpOutcome } from './transaction';

/** A message of a feed, which can write itself into a buffer. */
export interface FedMail {
  readonly envelope: Envelope;
  /** Resolves when the message can be had, or never will be; null from then on, or where it can be had at once. Must not reject. */
  readonly ready: Promise<void> | null;
  /** Returns the message, one character a byte, with CRLF line ends. Throws when it cannot be composed. */
  readonly message: () => string;
  /** Writes the same from an offset on, if no line of it begins with a dot. Returns where it ended, or -1 when `message` has to be asked. */
  readonly writeTo: (room: Buffer, at: number) => number;
}

/** The source of messages, and the receiver of their outcomes. Neither may throw. */
export interface MailFeed<M extends FedMail> {
  /** Returns the next message; undefined ends the feed. Also asked while the one before is on its way: what it returns is sent next. */
  readonly next: () => M | undefined;
  readonly done: (mail: M, outcome: SmtpOutcome) => void;
}

/** A larger message is sent in pieces, not from the buffer. */
const ROOM_BYTES = 96 * 1024;
const MOST_COMMANDS = 2_048;

/** A buffer for composing a message; replaced when the kernel did not take all of it at once. */
export class StreamRoom {
  private room: Buffer | null = null;
  /** The part of it for the message itself. */
  private forMail: Buffer | null = null;

  get bytes(): Buffer {
    return (this.room ??= Buffer.allocUnsafeSlow(ROOM_BYTES));
  }

  replace(): void {
    this.room = null;
    this.forMail = null;
  }

  /** Writes a message into the buffer. Returns the offset of its end; -1 when it does not fit there with what follows it, or cannot be composed. */
  endOf(mail: FedMail): number {
    try {
      return mail.writeTo((this.forMail ??= this.bytes.subarray(0, ROOM_BYTES - MOST_COMMANDS)), 0);
    } catch {
      return -1;
    }
  }
}

/** A message could not be composed. */
export class UnfitMessage extends Error {
  override readonly name = 'UnfitMessage';
}

/** The outcome of a message that could not be composed. */
export const UNFIT_MESSAGE: SmtpFailure = {
  accepted: false,
  phase: 'mail',
  cause: 'protocol',
  reply: null,
  inDoubt: false,
  message: 'The message could not be composed',
};

/** Returns a message as text. Throws `UnfitMessage`. */
export function textOf(mail: FedMail): string {
  try {
    return mail.message();
  } catch {
    throw new UnfitMessage();
  }
}

/** Returns the feed of one message that is text already. */
export function feedOf(envelope: Envelope, message: string, done: (outcome: SmtpOutcome) => void): MailFeed<FedMail> {
  const waiting: FedMail[] = [{ envelope, ready: null, message: () => message, writeTo: () => -1 }];
  return { next: () => waiting.pop(), done: (_mail, outcome) => done(outcome) };
}

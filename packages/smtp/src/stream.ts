import type { ServerReply } from './reply';
import type { SmtpTimeouts } from './session';
import { START_MAIL_INPUT, toSmtpReply, unfitEnvelope } from './transaction';
import type { Envelope, SmtpFailure, SmtpOutcome, SmtpReply } from './transaction';
import { WireFailure } from './wire';
import type { SmtpWire } from './wire';

/** A message that can write itself into a buffer. */
export interface StreamedMail {
  readonly envelope: Envelope;
  /** Resolves when the message can be had, or never will be; null from then on, or where it can be had at once. Must not reject. */
  readonly ready: Promise<void> | null;
  /** Returns the message as composeMail would compose it, with no line that begins with a dot. Throws when it cannot be composed. */
  readonly message: () => string;
  /** Writes the same, a byte a character, from an offset on. Returns where it ended, or -1 when it does not fit. */
  readonly writeTo: (room: Buffer, at: number) => number;
}

/** The source of a stream's messages, and the receiver of their outcomes. Neither may throw. */
export interface MailFeed<M extends StreamedMail> {
  /** Returns the next message; undefined ends the stream. */
  readonly next: () => M | undefined;
  readonly done: (mail: M, outcome: SmtpOutcome) => void;
}

/** The state of a stream that ended before its feed did. */
export interface Rest<M> {
  /** The message that is next; null when all were sent. */
  readonly mail: M | null;
  /** The part of it that is on the wire: nothing, its commands, or all of it. The server's replies to that are unread. */
  readonly state: 'fresh' | 'begun' | 'ended';
  /** The message after it, already taken from the feed; its commands are on the wire if the server allows that. */
  readonly following: M | null;
}

interface Talk {
  readonly wire: SmtpWire;
  readonly room: StreamRoom;
  readonly timeouts: SmtpTimeouts;
  readonly commandsFor: (envelope: Envelope) => string;
}

/** MAIL, RCPT, DATA. */
const COMMANDS = 3;
const END = '.\r\n';
/** A larger message is sent without the stream, in pieces. */
const ROOM_BYTES = 96 * 1024;
const MOST_COMMANDS = 2_048;

/** A buffer for composing a message; replaced when the kernel did not take all of it at once. */
export class StreamRoom {
  private room: Buffer | null = null;

  get bytes(): Buffer {
    return (this.room ??= Buffer.allocUnsafeSlow(ROOM_BYTES));
  }

  replace(): void {
    this.room = null;
  }
}

/** Writes a message into the buffer. Returns where it ends; -1 when it does not fit, or cannot be composed. */
function endOf(mail: StreamedMail, room: Buffer): number {
  try {
    return mail.writeTo(room, 0);
  } catch {
    return -1;
  }
}

const repliesKnown = new WeakMap<ServerReply, SmtpReply>();

/** Converts a reply, once for each reply object. */
function replyOf(reply: ServerReply): SmtpReply {
  const known = repliesKnown.get(reply);
  if (known) return known;
  const made = toSmtpReply(reply);
  repliesKnown.set(reply, made);
  return made;
}

/** The outcome of a message that cannot be composed. */
export const UNFIT_MESSAGE: SmtpFailure = {
  ...{ accepted: false, phase: 'mail', cause: 'protocol', reply: null, inDoubt: false },
  message: 'The message could not be composed',
};

/** Composes a message once it is ready; null when that fails. */
export async function messageOf(mail: StreamedMail): Promise<string | null> {
  try {
    await mail.ready;
    return mail.message();
  } catch {
    return null;
  }
}

const isClass = (reply: ServerReply, hundred: number): boolean => reply.code >= hundred && reply.code < hundred + 100;

/**
 * Sends messages one after another over a greeted connection with pipelining (RFC 2920), as long as the server accepts each: every message goes out in one
 * write with the commands of the next, and little is allocated but its bytes. Anything unexpected ends the stream, and is left for the caller to read.
 */
export class SmtpStream<M extends StreamedMail> {
  private mail: M | null = null;
  private following: M | null = null;
  private state: Rest<M>['state'] = 'fresh';
  private isAnnounced = false;
  /** The message that is waited for until it is ready. */
  private awaited: M | null = null;
  private isStopped = false;
  private resolve: (rest: Rest<M>) => void = () => undefined;

  constructor(
    private readonly talk: Talk,
    private readonly feed: MailFeed<M>,
  ) {}

  /** Sends `first`, then the mail of the feed. Resolves when it has no more, or when a reply is unexpected. */
  run(first: M): Promise<Rest<M>> {
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.mail = first;
      this.talk.wire.follow(() => this.advance());
      if (this.begin()) this.advance();
    });
  }

  private begin(): boolean {
    const { wire, timeouts, commandsFor } = this.talk;
    wire.allow(timeouts.command);
    if (!this.write(commandsFor((this.mail as M).envelope))) return this.stop();
    this.state = 'begun';
    return true;
  }

  /** Handles the replies so far, mostly to the end of one message and the commands of the next. */
  private advance(): void {
    const { wire } = this.talk;
    let goesOn = true;
    while (goesOn && this.mail !== null) {
      const isEnded = this.state === 'ended';
      const isAnswered = wire.peek(isEnded ? 0 : COMMANDS - 1) !== undefined;
      if (!wire.alive && !isAnswered) goesOn = this.stop();
      else goesOn = isEnded ? this.afterEnd() : this.afterCommands();
    }
    if (goesOn) this.stop();
  }

  /** Stops following the connection and resolves with the rest, once. */
  private stop(): false {
    const { mail, state, following } = this;
    this.isStopped = true;
    this.talk.wire.follow(null);
    this.resolve({ mail, state, following });
    return false;
  }

  private afterEnd(): boolean {
    const { wire, timeouts } = this.talk;
    const reply = wire.peek(0);
    if (reply === undefined) return false;
    if (!isClass(reply, 200)) return this.stop();
    wire.take();
    const mail = this.mail as M;
    this.mail = this.following;
    this.following = null;
    this.state = this.isAnnounced ? 'begun' : 'fresh';
    wire.allow(timeouts.command);
    this.feed.done(mail, { accepted: true, reply: replyOf(reply) });
    return this.mail === null || this.isAnnounced || this.stop();
  }

  private afterCommands(): boolean {
    const { wire } = this.talk;
    for (let index = 0; index < COMMANDS; index++) {
      const reply = wire.peek(index);
      if (reply === undefined) return false;
      const isUsual = index === COMMANDS - 1 ? reply.code === START_MAIL_INPUT : isClass(reply, 200);
      if (!isUsual) return this.stop();
    }
    // One more reply would answer something that is not written yet.
    if (wire.peek(COMMANDS) !== undefined) return this.stop();
    const mail = this.mail as M;
    return this.isReady(mail) && this.writeMail(mail);
  }

  /** Whether a message can be written; if not, the stream continues as soon as it can. */
  private isReady(mail: M): boolean {
    if (mail.ready === null) return true;
    if (this.awaited !== mail) {
      this.awaited = mail;
      void mail.ready.then(() => {
        if (!this.isStopped) this.advance();
      });
    }
    return mail.ready === null;
  }

  private writeMail(mail: M): boolean {
    const { wire, room, timeouts } = this.talk;
    const { bytes } = room;
    const end = endOf(mail, bytes);
    if (end < 0 || end + MOST_COMMANDS > bytes.length) return this.stop();
    const to = end + bytes.write(END + this.announce(this.feed.next()), end, 'latin1');
    wire.allow(timeouts.finalDot);
    if (!this.write(bytes.subarray(0, to))) return this.stop();
    for (let taken = 0; taken < COMMANDS; taken++) wire.take();
    this.state = 'ended';
    if (wire.holds) room.replace();
    return true;
  }

  /** Returns the commands of the next message, if the server allows them before its reply. */
  private announce(next: M | undefined): string {
    this.following = next ?? null;
    this.isAnnounced = next !== undefined && unfitEnvelope(next.envelope) === null;
    return next !== undefined && this.isAnnounced ? this.talk.commandsFor(next.envelope) : '';
  }

  /** Writes to the wire. Returns false when nothing was written, as the connection or the lease is over. */
  private write(bytes: string | Uint8Array): boolean {
    try {
      this.talk.wire.write(bytes);
      return true;
    } catch (error) {
      if (error instanceof WireFailure) return false;
      throw error;
    }
  }
}

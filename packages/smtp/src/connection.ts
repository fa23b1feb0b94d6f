import { feedOf, StreamRoom, textOf, UNFIT_MESSAGE, UnfitMessage } from './feed';
import type { FedMail, MailFeed } from './feed';
import { openSession, TIMEOUTS } from './session';
import type { SmtpObserver, SmtpSession, SmtpTimeouts } from './session';
import {
  commandsFor,
  expectAnswer,
  cutOffAt,
  endRefused,
  expectClass,
  expectReset,
  GROUP,
  groupFor,
  GROUP_OR_DOT,
  Refusal,
  refusedAt,
  replyOf,
  toWireData,
  unfitEnvelope,
  wasStale,
} from './transaction';
import type { Envelope, SmtpFailure, SmtpOutcome, SmtpPhase } from './transaction';
import type { SmtpRoute } from './url';
import { WireFailure } from './wire';
import type { SmtpWire } from './wire';

export interface SmtpOptions {
  readonly route: SmtpRoute;
  /** Our name in EHLO. */
  readonly clientName: string;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Called right before each write; false destroys the socket, and nothing more is written (cause `lease`). */
  readonly mayWrite?: () => boolean;
  /** Requests a delivery report from servers that support it, which goes to the envelope sender (RFC 3461). */
  readonly reportDelivery?: boolean;
  readonly observer?: SmtpObserver;
}

const QUIT_TIMEOUT = 2_000;
/** Ends a message whose last line has ended. */
const END = '.\r\n';
/** Servers slow down, or end, a connection with many refusals in a row, which other messages would suffer from. */
const MOST_REFUSED = 8;

/** The message after the one that is on its way, once it was taken from its feed. */
interface Ahead<M extends FedMail = FedMail> {
  mail: M | undefined;
  /** Takes it. */
  readonly next: () => M | undefined;
}

/** A client connection (RFC 5321) that carries one message after the other. */
export class SmtpConnection {
  private readonly timeouts: SmtpTimeouts;
  private session: SmtpSession | null = null;
  private phase: SmtpPhase = 'connect';
  private needsReset = false;
  /** The last message over this connection was accepted. */
  private accepting = false;
  /** Number of consecutive messages that were refused over this connection. */
  private refused = 0;
  /** The commands of the message ahead went out with the end of the one before it. */
  private isAnnounced = false;
  private destroyed = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** `room` is where messages are composed. Connections may share one, as a message is composed and written in one go. */
  constructor(
    private readonly options: SmtpOptions,
    private readonly room = new StreamRoom(),
  ) {
    this.timeouts = { ...TIMEOUTS, ...options.timeouts };
  }

  get open(): boolean {
    return this.session?.wire.alive ?? false;
  }

  /** Sends one message to one recipient, as `stream` does; `message` comes from composeMail. Never rejects. */
  send(envelope: Envelope, message: string): Promise<SmtpOutcome> {
    return new Promise((resolve) => void this.stream(feedOf(envelope, message, resolve)));
  }

  /**
   * Sends the mail of a feed, each message to one recipient, and resolves when it has no more. Opens (or reopens) the connection when needed; an idle
   * connection that turns out to be closed is reopened once and is no failure. Never rejects. Calls wait for each other.
   *
   * Once a server that supports pipelining has accepted a message, the commands of the next one go out in one write with the end of the one before it
   * (RFC 2920 3.1), which costs one round trip for each message. Little is allocated then but the bytes of messages.
   */
  stream<M extends FedMail>(feed: MailFeed<M>): Promise<void> {
    const ended = this.last.then(() => this.sendAll(feed));
    this.last = ended;
    return ended;
  }

  private async sendAll<M extends FedMail>(feed: MailFeed<M>): Promise<void> {
    let mail = feed.next();
    const ahead: Ahead<M> = { mail: undefined, next: () => (ahead.mail = feed.next()) };
    while (mail !== undefined) {
      ahead.mail = undefined;
      const outcome = await this.deliver(mail, ahead);
      feed.done(mail, outcome);
      mail = ahead.mail ?? feed.next();
    }
  }

  /** Ends politely with QUIT, after what is being sent; waits at most two seconds for the answer. */
  async close(): Promise<void> {
    await this.last;
    const wire = this.session?.wire;
    try {
      wire?.write('QUIT\r\n');
      await wire?.read(Math.min(QUIT_TIMEOUT, this.timeouts.command));
    } catch (error) {
      if (!(error instanceof WireFailure)) throw error;
    } finally {
      this.drop();
    }
  }

  /** Ends the connection at once; a message under way reports it as it reports a reset. */
  destroy(): void {
    this.destroyed++;
    this.drop();
  }

  /** Sends a message over this connection; over a new one where the server closed this one while it was idle. */
  private async deliver(mail: FedMail, ahead: Ahead): Promise<SmtpOutcome> {
    const { destroyed } = this;
    if (!this.isAnnounced) {
      const unfit = unfitEnvelope(mail.envelope);
      if (unfit !== null) return unfit;
      if (this.session?.wire.quiet === false) this.drop();
    }
    const reused = this.open;
    try {
      if (!reused) await this.connect();
      return await this.exchange(this.session!, mail, ahead);
    } catch (error) {
      const outcome = this.explain(error);
      return reused && destroyed === this.destroyed && wasStale(outcome) ? this.deliver(mail, ahead) : outcome;
    }
  }

  /** Runs one transaction (RFC 5321, 3.3): the commands, the message, and the server's answer to its end. Throws unless it is accepted. */
  private async exchange(session: SmtpSession, mail: FedMail, ahead: Ahead): Promise<SmtpOutcome> {
    const { wire } = session;
    this.phase = 'mail';
    await (session.pipelining ? this.openPipelined(session, mail.envelope) : this.openInSteps(session, mail.envelope));
    this.phase = 'body';
    if (mail.ready !== null) await mail.ready;
    if (!wire.quiet) await this.refuseEarlyAnswer();
    if (!this.writeAtOnce(session, mail, ahead)) await this.writeInPieces(session, textOf(mail), ahead);
    this.phase = 'final_dot';
    const reply = wire.take() ?? (await wire.read(this.timeouts.finalDot));
    expectClass(reply, 2);
    this.needsReset = false;
    this.accepting = true;
    this.refused = 0;
    return { accepted: true, reply: replyOf(reply) };
  }

  private async connect(): Promise<void> {
    this.needsReset = false;
    this.drop();
    this.accepting = false;
    this.refused = 0;
    try {
      await openSession(this.options.route, this.options.clientName, this.timeouts, {
        mayWrite: this.options.mayWrite ?? (() => true),
        wantsReports: this.options.reportDelivery === true,
        opened: (session) => this.keep(session),
        reached: (phase) => (this.phase = phase),
      });
      this.options.observer?.tried('opened');
    } catch (error) {
      this.options.observer?.tried('failed');
      throw error;
    }
  }

  private async openInSteps(session: SmtpSession, envelope: Envelope): Promise<void> {
    const { wire } = session;
    const commands = commandsFor(session, envelope);
    if (this.needsReset) {
      wire.write('RSET\r\n');
      expectReset(await wire.read(this.timeouts.command));
    }
    this.needsReset = true;
    for (const [index, phase] of GROUP.entries()) {
      this.phase = phase;
      wire.write(`${commands[index]}\r\n`);
      expectAnswer(phase, await wire.read(this.timeouts.command));
    }
  }

  /** Sends the commands in one write (RFC 2920). The first refusal is the outcome; the replies after it only show how to recover. */
  private async openPipelined(session: SmtpSession, envelope: Envelope): Promise<void> {
    const { wire } = session;
    const { isAnnounced } = this;
    const reset = this.needsReset && !isAnnounced;
    this.isAnnounced = false;
    if (!isAnnounced) wire.write(`${reset ? 'RSET\r\n' : ''}${groupFor(session, envelope)}`);
    this.needsReset = true;
    if (reset) expectReset(await wire.read(this.timeouts.command));
    for (const phase of GROUP) {
      this.phase = phase;
      const reply = wire.take() ?? (await wire.read(this.timeouts.command));
      try {
        expectAnswer(phase, reply);
      } catch (refusal) {
        if (!(await this.endsRefused(wire, phase, refusal))) this.drop();
        throw refusal;
      }
    }
  }

  /** Resolves to whether the connection can be used on after a command of a group was not answered as it should. */
  private async endsRefused(wire: SmtpWire, phase: (typeof GROUP)[number], refusal: unknown): Promise<boolean> {
    return !(refusal instanceof Refusal) || refusal.closes || endRefused(wire, phase, this.timeouts.command);
  }

  /** Writes a message that composes itself in the buffer. Returns false if it does not. */
  private writeAtOnce(session: SmtpSession, mail: FedMail, ahead: Ahead): boolean {
    const { room } = this;
    const { wire } = session;
    const end = room.endOf(mail);
    if (end < 0) return false;
    const { bytes } = room;
    const next = this.nextCommands(session, ahead);
    wire.write(bytes.subarray(0, end + bytes.write(END + next, end, 'latin1')));
    this.isAnnounced = next !== '';
    if (wire.holds) room.replace();
    return true;
  }

  private async writeInPieces(session: SmtpSession, message: string, ahead: Ahead): Promise<void> {
    const { wire } = session;
    const { before, last, end } = toWireData(message);
    const deadline = performance.now() + this.timeouts.dataBlock;
    for (const piece of before) {
      wire.write(piece);
      await wire.flushed(Math.max(deadline - performance.now(), 1));
      if (!wire.quiet) await this.refuseEarlyAnswer();
    }
    const next = this.nextCommands(session, ahead);
    wire.write(last + end + next);
    this.isAnnounced = next !== '';
  }

  /**
   * Returns the commands of the message ahead if it may be announced, and nothing else. Not to a server that refused the last message: its replies would be hard
   * to assign.
   */
  private nextCommands(session: SmtpSession, ahead: Ahead): string {
    const next = session.pipelining && this.accepting ? ahead.next() : undefined;
    return next !== undefined && unfitEnvelope(next.envelope) === null ? groupFor(session, next.envelope) : '';
  }

  /** Throws on a reply before the end of the message: it can only be a refusal, and any other would be taken for a later one. */
  private async refuseEarlyAnswer(): Promise<void> {
    const { wire } = this.session!;
    expectClass(await wire.read(this.timeouts.command), null);
  }

  private explain(error: unknown): SmtpFailure {
    const { phase } = this;
    if (error instanceof Refusal) {
      this.accepting = false;
      const midway = phase === 'body' || !GROUP_OR_DOT.has(phase);
      const isWorn = ++this.refused >= MOST_REFUSED;
      if (midway || this.isAnnounced || error.closes || isWorn) this.drop();
      return refusedAt(phase, error.reply);
    }
    this.drop();
    return error instanceof UnfitMessage ? UNFIT_MESSAGE : cutOffAt(phase, error);
  }

  private keep(session: SmtpSession): void {
    if (!this.session) this.options.observer?.began();
    this.session = session;
  }

  private drop(): void {
    if (this.session) this.options.observer?.ended();
    this.session?.wire.destroy();
    this.session = null;
    this.isAnnounced = false;
  }
}

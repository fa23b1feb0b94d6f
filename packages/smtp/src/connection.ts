import { openSession, TIMEOUTS } from './session';
import type { SmtpObserver, SmtpSession, SmtpTimeouts } from './session';
import { messageOf, SmtpStream, StreamRoom, UNFIT_MESSAGE } from './stream';
import type { MailFeed, StreamedMail } from './stream';
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
  toSmtpReply,
  toWireData,
  unfitEnvelope,
  wasStale,
} from './transaction';
import type { Envelope, SmtpFailure, SmtpOutcome, SmtpPhase } from './transaction';
import type { SmtpRoute } from './url';
import { WireFailure } from './wire';

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
/** Servers slow down, or end, a connection with many refusals in a row, which other messages would suffer from. */
const MOST_REFUSED = 8;

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
  /** The envelope whose commands have gone out already, after the end of the previous message. */
  private announced: Envelope | null = null;
  private destroyed = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** `room` is where messages of streams are composed. Connections may share one, as a message is composed and written in one go. */
  constructor(
    private readonly options: SmtpOptions,
    private readonly room = new StreamRoom(),
  ) {
    this.timeouts = { ...TIMEOUTS, ...options.timeouts };
  }

  get open(): boolean {
    return this.session?.wire.alive ?? false;
  }

  /**
   * Sends one message to one recipient; `message` comes from composeMail. Opens (or reopens) the connection when needed; an idle connection that
   * turns out to be closed is reopened once and is no failure. Never rejects. Calls wait for each other.
   *
   * `following` is the envelope of the next call, when that is known to come at once: its commands may go out in one write with the end of this message
   * (RFC 2920 3.1), which costs one round trip for each message with a server that supports pipelining. Any other next call ends the connection.
   */
  send(envelope: Envelope, message: string, following?: Envelope): Promise<SmtpOutcome> {
    const outcome = this.last.then(() => this.deliver(envelope, message, following));
    this.last = outcome;
    return outcome;
  }

  /** Sends the mail of a feed, and resolves when it has no more: in a stream as long as every reply is as expected, else as `send` would. Never rejects. */
  stream<M extends StreamedMail>(feed: MailFeed<M>): Promise<void> {
    const ended = this.last.then(() => this.streamAll(feed));
    this.last = ended;
    return ended;
  }

  private async streamAll<M extends StreamedMail>(feed: MailFeed<M>): Promise<void> {
    for (let mail = feed.next(); mail !== undefined; mail = feed.next()) {
      const { session } = this;
      const isUsual = session?.pipelining === true && this.accepting && !this.needsReset && this.announced === null && session.wire.quiet;
      if (isUsual && this.open && unfitEnvelope(mail.envelope) === null) await this.streamFrom(session, mail, feed);
      else feed.done(mail, await this.deliverWhole(mail));
    }
  }

  private async streamFrom<M extends StreamedMail>(session: SmtpSession, first: M, feed: MailFeed<M>): Promise<void> {
    const { wire } = session;
    const talk = { wire, room: this.room, timeouts: this.timeouts, commandsFor: (to: Envelope) => groupFor(session, to) };
    const { mail, state, following } = await new SmtpStream(talk, feed).run(first);
    if (mail === null) return;
    this.needsReset = state !== 'fresh';
    if (state === 'ended') {
      this.announced = following?.envelope ?? null;
      this.phase = 'final_dot';
      feed.done(mail, await this.readEnd(session));
    } else {
      this.announced = state === 'begun' ? mail.envelope : null;
      feed.done(mail, await this.deliverWhole(mail));
    }
    if (following !== null) feed.done(following, await this.deliverWhole(following));
  }

  /** Sends a message of a stream on its own. Ends the connection on which it was announced when it cannot be composed. */
  private async deliverWhole(mail: StreamedMail): Promise<SmtpOutcome> {
    const message = await messageOf(mail);
    if (message !== null) return this.deliver(mail.envelope, message, undefined);
    this.drop();
    return UNFIT_MESSAGE;
  }

  private async readEnd({ wire }: SmtpSession): Promise<SmtpOutcome> {
    try {
      const reply = await wire.read(this.timeouts.finalDot);
      expectClass(reply, 2);
      this.needsReset = false;
      return { accepted: true, reply: toSmtpReply(reply) };
    } catch (error) {
      return this.explain(error);
    }
  }

  /** Ends politely with QUIT, after what is being sent; waits at most two seconds for the answer. */
  async close(): Promise<void> {
    await this.last;
    if (this.announced !== null) return this.drop();
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

  /** Ends the connection at once; a send under way reports it as it reports a reset. */
  destroy(): void {
    this.destroyed++;
    this.drop();
  }

  private async deliver(envelope: Envelope, message: string, following: Envelope | undefined): Promise<SmtpOutcome> {
    const isAnnounced = this.announced === envelope;
    const unfit = isAnnounced ? null : unfitEnvelope(envelope);
    if (unfit !== null) return unfit;
    const { destroyed } = this;
    if (!isAnnounced && (this.announced !== null || this.session?.wire.quiet === false)) this.drop();
    const reused = this.open;
    const outcome = await this.attempt(envelope, message, following);
    return reused && destroyed === this.destroyed && wasStale(outcome) ? this.attempt(envelope, message, following) : outcome;
  }

  private async attempt(envelope: Envelope, message: string, following: Envelope | undefined): Promise<SmtpOutcome> {
    try {
      if (!this.open) await this.connect();
      const session = this.session!;
      this.phase = 'mail';
      if (session.pipelining) await this.openPipelined(session, envelope);
      else await this.openInSteps(session, envelope);
      await this.writeBody(session, message, following);
      const reply = await session.wire.read(this.timeouts.finalDot);
      expectClass(reply, 2);
      this.needsReset = false;
      this.accepting = true;
      this.refused = 0;
      return { accepted: true, reply: toSmtpReply(reply) };
    } catch (error) {
      return this.explain(error);
    }
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
    const isAnnounced = this.announced === envelope;
    const reset = this.needsReset && !isAnnounced;
    this.announced = null;
    if (!isAnnounced) wire.write(`${reset ? 'RSET\r\n' : ''}${groupFor(session, envelope)}`);
    this.needsReset = true;
    if (reset) expectReset(await wire.read(this.timeouts.command));
    for (const phase of GROUP) {
      this.phase = phase;
      const reply = await wire.read(this.timeouts.command);
      try {
        expectAnswer(phase, reply);
      } catch (refusal) {
        const goesOn = !(refusal instanceof Refusal) || refusal.closes || (await endRefused(wire, phase, this.timeouts.command));
        if (!goesOn) this.drop();
        throw refusal;
      }
    }
  }

  private async writeBody(session: SmtpSession, message: string, following: Envelope | undefined): Promise<void> {
    const { wire } = session;
    const { before, last, end } = toWireData(message);
    this.phase = 'body';
    const deadline = performance.now() + this.timeouts.dataBlock;
    for (const piece of before) {
      if (!wire.quiet) await this.refuseEarlyAnswer();
      wire.write(piece);
      await wire.flushed(Math.max(deadline - performance.now(), 1));
    }
    if (!wire.quiet) await this.refuseEarlyAnswer();
    const next = following !== undefined && this.mayAnnounce(session, following) ? following : null;
    wire.write(last + end + (next === null ? '' : groupFor(session, next)));
    this.announced = next;
    this.phase = 'final_dot';
  }

  /** Whether the next message may be announced early. Not to a server that refused a message: its replies would be hard to assign. */
  private mayAnnounce({ pipelining }: SmtpSession, following: Envelope): boolean {
    return pipelining && this.accepting && unfitEnvelope(following) === null;
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
      if (midway || this.announced !== null || error.closes || isWorn) this.drop();
      return refusedAt(phase, error.reply);
    }
    this.drop();
    return cutOffAt(phase, error);
  }

  private keep(session: SmtpSession): void {
    if (!this.session) this.options.observer?.began();
    this.session = session;
  }

  private drop(): void {
    if (this.session) this.options.observer?.ended();
    this.session?.wire.destroy();
    this.session = null;
    this.announced = null;
  }
}

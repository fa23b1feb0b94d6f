import { SmtpConnection } from '@lettermill/smtp';
import type { Envelope, FedMail, MailFeed, SmtpObserver, SmtpOptions, SmtpOutcome, StreamRoom } from '@lettermill/smtp';
import type { Core } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import { tracing } from '../../platform/tracing';
import type { Email, Outcome } from '../../records/emails';
import { compose, nowhere } from './compose';
import { answerOutcome } from './outcome';
import type { OutcomeRules } from './outcome';

/*
 * The lane of a message, and the path between it and the next server: the gate, which is asked before a message is begun, and the connection, which is kept
 * open for the next one. A smarthost has both here; for `direct:` see `destinations.ts` and `direct.ts`.
 */

/** Delivery's clock: the workflow's time, so that tests can skip it. */
export type Clock = () => Date;

/** Keeps only the code of a reply in spans: its text may contain personal data. */
const repliedWith = ({ accepted, reply }: SmtpOutcome) => ({ 'smtp.accepted': accepted, ...(reply && { 'smtp.reply_code': reply.code }) });

/** Sends messages one after another: over one SMTP connection, or to the exchangers of each. */
export class Lane {
  constructor(
    private readonly core: Core,
    private readonly transport: Transport,
    private readonly rules: OutcomeRules,
    /** Rules by transport, where there are several. */
    private readonly rulesOver: ReadonlyMap<string, OutcomeRules> = ONE_TRANSPORT,
  ) {}

  /** Resolves to the message, one character a byte, or to its outcome when it goes nowhere. Never rejects. */
  compose(email: Email, clock: Clock): Promise<string | Outcome> {
    return compose(this.core, email, this.rules, clock);
  }

  /** Returns the outcome of a message that no server gets; null for any other. `isVerified`: its domain may send. */
  nowhere(email: Email, isVerified: boolean, at: Date): Outcome | null {
    return nowhere(this.core, email, isVerified, this.rules, at);
  }

  /** Hands a composed message to the next server. Never rejects. */
  exchange(email: Email, envelope: OwnedEnvelope, message: string): Promise<Answered> {
    const owned = this.rulesOver.size === 0 ? envelope : { ...envelope, email, over: email.transport?.name };
    const sdk = email.trace === undefined ? null : tracing();
    if (sdk === null) return this.transport.send(owned, message);
    return sdk.exchange(() => this.transport.send(owned, message), repliedWith);
  }

  /** Turns the answer of the next server into the message's outcome. */
  outcomeOf(email: Email, answer: Answered, at: Date): Outcome {
    const { over } = answer;
    return over === undefined
      ? answerOutcome(email, answer, this.rules, at)
      : withTransport(answerOutcome(email, answer, this.rulesOver.get(over) ?? this.rules, at), answer);
  }

  /** Sends the live mail of a feed. May end before the feed does, and be called again. */
  stream<M extends OwnedMail>(feed: MailFeed<M>): Promise<void> {
    return this.transport.stream(feed);
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  destroy(): void {
    this.transport.destroy();
  }
}

const ONE_TRANSPORT: ReadonlyMap<string, OutcomeRules> = new Map();

/** The answer of the next server, and over which transport it came, where there are several. */
export type Answered = SmtpOutcome & { readonly over?: string };

/** Notes the transport. Once a server may have a message, the message stays with that server's transport. */
function withTransport(outcome: Outcome, { over: name = '', ...answer }: Answered): Outcome {
  const inDoubt = (!answer.accepted && answer.inDoubt) || outcome.email.transport?.inDoubt === true;
  return { ...outcome, set: { ...outcome.set, transport: { name, ...(inDoubt && !outcome.accepted && { inDoubt }) } } };
}

/** The facts of a message by which a gate knows it. */
export type Passing = Pick<Email, 'projectId' | 'to'> & { readonly over?: string | undefined };

/** An envelope, and whose it is. */
export interface OwnedEnvelope extends Envelope {
  readonly projectId: string;
  /** The message by which other transports are chosen; absent for mail that has no row yet. */
  readonly email?: Email;
  /** The transport that the message goes over, where there are several. */
  readonly over?: string | undefined;
}

/** A streamed message, and whose it is. */
export interface OwnedMail extends FedMail {
  /** The id of the message. */
  readonly id: string;
  readonly envelope: OwnedEnvelope;
}

/** Hands a message to a mail server: a lane's connection to the smarthost, or the route to all mail exchangers. */
export interface Transport {
  /** Sends one message. Never rejects. */
  send(envelope: OwnedEnvelope, message: string): Promise<Answered>;
  /** Sends the mail of a feed, one after another; may end before the feed does, when nothing may be begun for the moment. */
  stream<M extends OwnedMail>(feed: MailFeed<M>): Promise<void>;
  /** Closes open connections once what is being sent is done. */
  close(): Promise<void>;
  /** Cuts open connections at once. */
  destroy(): void;
}

/** Shorter than the idle timeout of most servers. */
const IDLE_MS = 20_000;

/** Creates what counts the connections of a transport. Both results are there from the start: Prometheus sees no increase in a series that begins with its first count. */
export function connectionCounts(transport: string): SmtpObserver {
  for (const result of ['opened', 'failed']) metrics.smtpConnects.inc({ transport, result }, 0);
  return {
    began: () => metrics.smtpConnections.inc(),
    tried: (result) => metrics.smtpConnects.inc({ transport, result }),
    ended: () => metrics.smtpConnections.dec(),
  };
}

/** A connection that is closed after a while of nothing to send. */
export class KeptConnection implements Transport {
  private readonly connection: SmtpConnection;
  private idle: NodeJS.Timeout | undefined;
  /** Single messages that it has carried. */
  sent = 0;

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

  async send(envelope: OwnedEnvelope, message: string): Promise<SmtpOutcome> {
    clearTimeout(this.idle);
    const outcome = await this.connection.send(envelope, message);
    this.sent++;
    this.endWhenIdle();
    return outcome;
  }

  async stream<M extends OwnedMail>(feed: MailFeed<M>): Promise<void> {
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

/** Ends the permission to send; called once, when the attempt has ended. */
export type Leave = () => void;

/**
 * `wait`: until something changes; `long` when that may not be soon, `all` when no message may be begun. `laterMs`: not before this many milliseconds; `why` is for
 * people, and `other` says whether the message may go over another transport meanwhile.
 */
export type Answer =
  | { readonly go: Leave; readonly over?: string }
  | { readonly wait: 'project' | 'soon' | 'long' | 'all' }
  | { readonly laterMs: number; readonly why?: string; readonly other?: boolean };

/** Why a message may not be begun yet. */
export type Waits = Exclude<Answer, { readonly go: Leave }>;

/** Decides which messages may be begun, so that a failing or slow destination uses no lanes of the others and costs no attempts. */
export interface Gate {
  ask(mail: Passing): Answer;
  /** Lets campaign mail of a project have a lane; null while it has its share, or nothing of it may be begun. */
  lend(projectId: string): Leave | null;
  /** Returns whether a message of campaign mail, which does not ask, may be tried, as it then is at once: not while its destination is left alone. */
  mayTry(mail: Passing): boolean;
  /** Whether anything may be begun. */
  readonly open: boolean;
  /** Is called when an answer may have changed without a message ending. */
  changed: () => void;
}

import type { Socket } from 'node:net';
import type { SMTPServerSession } from 'smtp-server';
import { networkOf } from '../../../platform/addresses';
import { newId } from '../../../platform/core';
import type { Core, Context } from '../../../platform/core';
import { keepSession } from '../../../records/smtp-sessions';
import type { SmtpSession } from '../../../records/smtp-sessions';
import { TRY_LATER, Refusal } from '../refusal';
import { MUST_SECURE, WRONG_KEY } from './refusals';
import { authenticate, scopeOf } from '../../../records/projects';
import type { KeyUses } from '../../../records/projects';

/** The owner of a key that hands mail in. */
interface Sender {
  readonly ctx: Context;
  /** The beginning of the key. */
  readonly keyPrefix: string;
}

const refused = (why: string): Refusal => new Refusal(535, `${WRONG_KEY}: ${why}`);

/** Resolves to the sender by the key that is the password. Throws a refusal for a key that is unknown, over, or may not send. */
export async function senderBy(core: Core, uses: KeyUses, password: string, requestId: string): Promise<Sender> {
  const found = await authenticate(password);
  if (found === 'unknown') throw refused('the password is not an API key');
  if (typeof found === 'string') throw refused(`the API key ${found === 'revoked' ? 'was revoked' : 'has expired'}`);
  const { project, key } = found;
  const scope = scopeOf(key);
  if (key.kind === 'public' || (scope !== 'full' && scope !== 'sending')) throw refused('the API key may not send');
  uses.note(key.hash);
  const ctx: Context = {
    core,
    projectId: project._id,
    project,
    testMode: key.kind === 'test',
    keyKind: key.kind,
    requestId,
    readsContent: scope !== 'sending',
  };
  return { ctx, keyPrefix: key.prefix };
}

const MOST_IDS = 100;
/** Time until a change of a connection is written down: a write for each message would slow all of them down. */
const WRITE_AFTER_MS = 5_000;
const MOST_REFUSALS = 10;
const HELO_LENGTH = 255;

/** The connection ends: it was idle, or the server stops. */
const CLOSING = 421;
/** AUTH without TLS. */
const NOT_SECURED = 538;

/** A text that begins with an enhanced code of its own. */
const HAS_CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

type Send = (code: number, text: string | readonly string[] | undefined, context?: unknown) => void;

/** A connection of the server, as far as its replies go. */
export interface Replying {
  readonly session: { readonly id: string };
  readonly secure: boolean;
  readonly _socket: Socket;
  send: Send;
}

/**
 * One connection of a program: its replies, and what is written down of it. Its row is written when a key has signed in, five seconds after a change, and at its
 * end. No reply waits for that.
 *
 * | killed                    | found                                              |
 * |---------------------------|----------------------------------------------------|
 * | before the row is written | nothing; its messages are stored                   |
 * | before a change is written | the row as it was up to five seconds before, open |
 * | before the end is written | the row with all that was brought, open            |
 */
export class Talk {
  private readonly startedAt = new Date();
  private readonly _id = newId('smtp', this.startedAt.getTime());
  private readonly emailIds: string[] = [];
  private readonly refusals: string[] = [];
  private accepted = 0;
  private refused = 0;
  private sender: Sender | null = null;
  /** A message may be stored after it: its program did not wait for the answer. */
  private endedAt: Date | null = null;
  private timer: NodeJS.Timeout | null = null;
  private written: Promise<void> = Promise.resolve();
  /** The key, with which every message is authorized again: it may be revoked meanwhile. */
  password = '';

  constructor(
    private readonly core: Pick<Core, 'log'>,
    private readonly session: SMTPServerSession,
  ) {}

  /**
   * Changes the replies of a connection: CHUNKING is offered, and no AUTH before TLS; AUTH is refused then as RFC 3207 says; a text with an enhanced code of its
   * own gets no other one. Replies to commands that came together go together (RFC 2920 3.2).
   */
  watch(connection: Replying): void {
    const send = connection.send.bind(connection);
    connection.send = (code, text, context) => {
      if (code === NOT_SECURED) return connection.send(530, MUST_SECURE);
      if (connection.secure) together(connection._socket);
      if (code >= 400 && code !== CLOSING) this.note(`${code} ${String(text)}`);
      if (Array.isArray(text)) {
        const lines: readonly string[] = connection.secure ? text : text.filter((line: string) => !line.startsWith('AUTH '));
        return send(code, [...lines, 'CHUNKING'], context);
      }
      return send(code, text, typeof text === 'string' && HAS_CODE.test(text) ? false : context);
    };
  }

  signedIn(sender: Sender, password: string): void {
    this.sender = sender;
    this.password = password;
    this.write();
  }

  /** The owner of the key that has signed in. Throws a refusal before that. */
  get owner(): Sender {
    if (!this.sender) throw TRY_LATER;
    return this.sender;
  }

  stored(emailIds: readonly string[]): void {
    this.accepted++;
    this.emailIds.push(...emailIds);
    this.emailIds.splice(0, this.emailIds.length - MOST_IDS);
    this.changed();
  }

  private note(reply: string): void {
    this.refused++;
    this.refusals.push(reply);
    this.refusals.splice(0, this.refusals.length - MOST_REFUSALS);
    this.changed();
  }

  private changed(): void {
    if (!this.sender) return;
    this.timer ??= setTimeout(() => this.write(), WRITE_AFTER_MS).unref();
  }

  /** Writes down that it has ended. Nothing is written of a connection over which nobody has signed in: it is no project's. */
  async end(): Promise<void> {
    this.endedAt = new Date();
    this.write();
    await this.written;
  }

  private write(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const row = this.row();
    if (!row) return;
    this.written = this.written
      .then(() => keepSession(row))
      .catch((error: unknown) => this.core.log.warn({ err: error }, 'A session of SMTP submission was not recorded'));
  }

  private row(): SmtpSession | null {
    if (!this.sender) return null;
    const { ctx, keyPrefix } = this.sender;
    const { remoteAddress, hostNameAppearsAs, tlsOptions } = this.session;
    return {
      _id: this._id,
      projectId: ctx.projectId,
      testMode: ctx.testMode,
      createdAt: this.startedAt,
      endedAt: this.endedAt,
      network: partOf(remoteAddress),
      keyPrefix,
      accepted: this.accepted,
      refused: this.refused,
      client: (hostNameAppearsAs || '').slice(0, HELO_LENGTH),
      tls: tlsOptions ? tlsOptions.version : '',
      emailIds: [...this.emailIds],
      refusals: [...this.refusals],
    };
  }
}

/** Joins the writes to a socket in one iteration of the event loop: each alone would be a record of TLS, and a call of the system. */
function together(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

function partOf(address: string): string {
  const network = networkOf(address);
  return network.includes(':') ? network : network.replace(/\.\d+$/, '.0/24');
}

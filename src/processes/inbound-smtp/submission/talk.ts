import type { SMTPServerSession } from 'smtp-server';
import { networkOf } from '../../../platform/addresses';
import { recordSession } from '../../../records/smtp-sessions';
import { MUST_SECURE } from './refusals';
import type { Sender } from './sign-in';

const MOST_IDS = 100;
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
  send: Send;
}

/** One connection of a program: its replies, and what is written down of it at its end. */
export class Talk {
  private readonly startedAt = new Date();
  private readonly emailIds: string[] = [];
  private readonly refusals: string[] = [];
  private accepted = 0;
  private refused = 0;
  private sender: Sender | null = null;
  /** The key, with which every message is authorized again: it may be revoked meanwhile. */
  password = '';

  constructor(private readonly session: SMTPServerSession) {}

  /**
   * Changes the replies of a connection: before TLS no AUTH is offered, AUTH is refused as RFC 3207 says, and a text with an enhanced code of its own gets no
   * other one.
   */
  watch(connection: Replying): void {
    const send = connection.send.bind(connection);
    connection.send = (code, text, context) => {
      if (code === NOT_SECURED) return connection.send(530, MUST_SECURE);
      if (code >= 400 && code !== CLOSING) this.note(`${code} ${String(text)}`);
      if (Array.isArray(text)) {
        const lines = connection.secure ? text : text.filter((line: string) => !line.startsWith('AUTH '));
        return send(code, lines, context);
      }
      return send(code, text, typeof text === 'string' && HAS_CODE.test(text) ? false : context);
    };
  }

  signedIn(sender: Sender, password: string): void {
    this.sender = sender;
    this.password = password;
  }

  stored(emailIds: readonly string[]): void {
    this.accepted++;
    this.emailIds.push(...emailIds);
    this.emailIds.splice(0, this.emailIds.length - MOST_IDS);
  }

  private note(reply: string): void {
    this.refused++;
    this.refusals.push(reply);
    this.refusals.splice(0, this.refusals.length - MOST_REFUSALS);
  }

  /** Writes down what happened. Nothing is written of a connection over which nobody has signed in: it is no project's. */
  async end(): Promise<void> {
    if (!this.sender) return;
    const { ctx, keyPrefix } = this.sender;
    const { remoteAddress, hostNameAppearsAs, tlsOptions } = this.session;
    await recordSession({
      ...{ projectId: ctx.projectId, testMode: ctx.testMode, createdAt: this.startedAt, endedAt: new Date() },
      ...{ network: partOf(remoteAddress), keyPrefix, accepted: this.accepted, refused: this.refused },
      client: (hostNameAppearsAs || '').slice(0, HELO_LENGTH),
      tls: tlsOptions ? tlsOptions.version : '',
      emailIds: this.emailIds,
      refusals: this.refusals,
    });
  }
}

/** Returns an address without its last part. */
function partOf(address: string): string {
  const network = networkOf(address);
  return network.includes(':') ? network : network.replace(/\.\d+$/, '.0/24');
}

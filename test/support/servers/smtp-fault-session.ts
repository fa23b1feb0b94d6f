import type net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';

/** `body` strikes when the first bytes of a message come, `dot` when its end has come. */
export type SmtpStage = 'greeting' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'dot' | 'rset' | 'quit';

/**
 * Replaces the usual reply at a stage. A `reply` below 400 lets the command succeed; `lines` stretches the usual reply to this many lines;
 * `drip` sends one character per interval without end; `garbage` is sent as it is; `delayMs` and `until` wait, then continue.
 */
export type SmtpFault =
  | 'hang'
  | 'reset'
  | 'close'
  | { readonly reply: string }
  | { readonly lines: number }
  | { readonly garbage: string }
  | { readonly drip: number }
  | { readonly delayMs: number }
  | { readonly until: Promise<unknown> };
export type SmtpScript = Partial<Record<SmtpStage, SmtpFault>>;

export interface SmtpMoment {
  /** 1 for the first connection. */
  readonly connection: number;
  readonly stage: SmtpStage;
  readonly from: string | null;
  readonly to: string | null;
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** The bytes as sent, dots unstuffed. */
  readonly raw: Buffer;
  /** Unfolded, by lower-case name; of a repeated one the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: number;
}

export interface SmtpServerOptions {
  readonly script?: SmtpScript | ((moment: SmtpMoment) => SmtpScript);
  /** `broken` offers STARTTLS and spoils the handshake. */
  readonly tls?: 'starttls' | 'implicit' | 'broken';
  readonly auth?: { readonly user: string; readonly pass: string; readonly mechanisms?: string };
  /** Offered unless false. */
  readonly pipelining?: boolean;
  /** Offers delivery reports. */
  readonly dsn?: boolean;
  readonly eightBitMime?: boolean;
}

/** The parts of a server that a session needs. */
export interface SessionOwner {
  readonly options: SmtpServerOptions;
  readonly script: SmtpScript | ((moment: SmtpMoment) => SmtpScript);
  readonly messages: ReceivedMail[];
  readonly commands: string[];
  readonly counts: { connections: number; finalDots: number; secured: number };
  readonly certificate: { readonly key: string; readonly cert: string };
  readonly sockets: ReadonlySet<net.Socket>;
}

/** One connection as its server sees it. */
export class FaultySession {
  private readonly number: number;
  private input = Buffer.alloc(0);
  private from: string | null = null;
  private to: string | null = null;
  private inData = false;
  private bodyBegun = false;
  private credentials: string[] | null = null;
  private paused = false;

  constructor(
    private readonly owner: SessionOwner,
    private socket: net.Socket,
  ) {
    this.number = ++owner.counts.connections;
    this.listen();
  }

  greet(): void {
    this.act('greeting', '220 fault.test ESMTP');
  }

  private listen(): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.input = Buffer.concat([this.input, chunk]);
      this.work();
    });
    this.socket.on('error', () => this.socket.destroy());
  }

  private work(): void {
    while (!this.paused && this.input.length > 0 && !this.socket.destroyed) {
      if (!(this.inData ? this.takeMessage() : this.takeLine())) return;
    }
  }

  private takeLine(): boolean {
    const end = this.input.indexOf('\r\n');
    if (end === -1) return false;
    const line = this.input.toString('latin1', 0, end);
    this.input = this.input.subarray(end + 2);
    if (this.credentials === null) this.owner.commands.push(line);
    if (this.credentials === null) this.command(line);
    else this.credential(line);
    return true;
  }

  private command(line: string): void {
    const [verb = '', argument = ''] = line.toUpperCase().split(' ');
    const address = /<(.*)>/.exec(line)?.[1] ?? '';
    const handlers: Readonly<Record<string, () => void>> = {
      EHLO: () => this.act('ehlo', this.extensions()),
      HELO: () => this.act('ehlo', '250 fault.test'),
      STARTTLS: () => this.act('starttls', '220 2.0.0 go', () => this.secure()),
      AUTH: () => this.act('auth', null, () => this.startAuth(argument, line)),
      MAIL: () => this.act('mail', '250 2.1.0 OK', () => (this.from = address)),
      RCPT: () => this.recipient(address),
      DATA: () => this.act('data', this.to === null ? '503 5.5.1 RCPT first' : '354 go on', () => this.startData()),
      RSET: () => this.act('rset', '250 2.0.0 OK', () => this.forget()),
      QUIT: () => this.act('quit', '221 2.0.0 bye', () => this.socket.end()),
    };
    (handlers[verb] ?? (() => this.say('500 5.5.1 what')))();
  }

  private recipient(address: string): void {
    this.to = address;
    this.act('rcpt', this.from === null ? '503 5.5.1 MAIL first' : '250 2.1.5 OK', undefined, () => (this.to = null));
  }

  private startData(): void {
    this.inData = true;
    this.bodyBegun = false;
  }

  private forget(): void {
    this.from = null;
    this.to = null;
  }

  private takeMessage(): boolean {
    if (!this.bodyBegun) {
      this.bodyBegun = true;
      if (this.fault('body') !== undefined) {
        this.act('body', null);
        return true;
      }
    }
    const lone = this.input.subarray(0, 3).equals(Buffer.from('.\r\n'));
    const end = lone ? 0 : this.input.indexOf('\r\n.\r\n');
    if (end === -1) return false;
    const stuffed = this.input.subarray(0, lone ? 0 : end + 2);
    this.input = this.input.subarray(lone ? 3 : end + 5);
    this.inData = false;
    this.owner.counts.finalDots++;
    if (this.to === null) this.say('554 5.5.1 no valid recipients');
    else
      this.act(
        'dot',
        '250 2.0.0 accepted',
        () => this.record(stuffed),
        () => this.forget(),
      );
    return true;
  }

  private record(stuffed: Buffer): void {
    const raw = Buffer.from(stuffed.toString('latin1').replace(/^\./gm, ''), 'latin1');
    this.owner.messages.push({ from: this.from ?? '', to: this.to ?? '', raw, headers: readHeaders(raw), connection: this.number });
    this.forget();
  }

  private fault(stage: SmtpStage): SmtpFault | undefined {
    const { script } = this.owner;
    const moment = { connection: this.number, stage, from: this.from, to: this.to };
    return (typeof script === 'function' ? script(moment) : script)[stage];
  }

  /** Answers as usual or as the script says; `done` follows a success, `refused` a failure. */
  private act(stage: SmtpStage, usual: string | null, done?: () => void, refused?: () => void): void {
    const fault = this.fault(stage);
    if (typeof fault === 'string') return this.die(fault);
    if (fault === undefined) return this.answer(usual, done, refused);
    if ('reply' in fault) return this.answer(fault.reply, done, refused);
    if ('lines' in fault) return this.answer(manyLines(usual ?? '250 OK', fault.lines), done, refused);
    if ('garbage' in fault) return void this.socket.write(fault.garbage);
    if ('drip' in fault) return this.drip(fault.drip);
    this.paused = true;
    void ('until' in fault ? fault.until : wait(fault.delayMs)).then(() => {
      this.paused = false;
      this.answer(usual, done, refused);
      this.work();
    });
  }

  private answer(reply: string | null, done?: () => void, refused?: () => void): void {
    if (reply !== null) this.say(reply);
    if (reply !== null && reply.startsWith('421')) this.socket.end();
    if (reply === null || Number(reply[0]) < 4) done?.();
    else refused?.();
  }

  /** A reset destroys what the client has not read yet, so it comes a little after the replies before it. */
  private die(how: 'hang' | 'reset' | 'close'): void {
    this.paused = true;
    if (how === 'reset') setTimeout(() => this.reset(), 20);
    if (how === 'close') this.socket.end();
  }

  /** Resets the TCP connection, also under TLS. */
  private reset(): void {
    for (const socket of this.owner.sockets) if (socket.remotePort === this.socket.remotePort) socket.resetAndDestroy();
  }

  private drip(everyMs: number): void {
    this.paused = true;
    const timer = setInterval(() => this.socket.write('2'), everyMs);
    this.socket.on('close', () => clearInterval(timer));
  }

  private say(reply: string): void {
    this.socket.write(`${reply}\r\n`);
  }

  private extensions(): string {
    const { tls: mode, auth, pipelining, dsn, eightBitMime } = this.owner.options;
    const secured = this.socket instanceof tls.TLSSocket;
    const offers = ['fault.test', 'ENHANCEDSTATUSCODES'];
    if (pipelining !== false) offers.push('PIPELINING');
    if (eightBitMime) offers.push('8BITMIME');
    if (dsn) offers.push('DSN');
    if (mode !== undefined && !secured) offers.push('STARTTLS');
    if (auth !== undefined) offers.push(`AUTH ${auth.mechanisms ?? 'PLAIN LOGIN'}`);
    return offers.map((offer, index) => `250${index === offers.length - 1 ? ' ' : '-'}${offer}`).join('\r\n');
  }

  private secure(): void {
    if (this.owner.options.tls === 'broken') {
      this.socket.removeAllListeners('data').once('data', () => this.socket.end('this is no handshake\r\n'));
      return;
    }
    this.socket.removeAllListeners('data');
    this.input = Buffer.alloc(0);
    this.forget();
    const secureContext = tls.createSecureContext(this.owner.certificate);
    this.socket = new tls.TLSSocket(this.socket, { isServer: true, secureContext }).on('secure', () => this.owner.counts.secured++);
    this.listen();
  }

  private startAuth(mechanism: string, line: string): void {
    if (mechanism === 'PLAIN')
      return this.finishAuth(
        decode(line.split(' ')[2] ?? '')
          .split('\0')
          .slice(1),
      );
    this.credentials = [];
    this.say('334 VXNlcm5hbWU6');
  }

  private credential(line: string): void {
    const given = [...(this.credentials ?? []), decode(line)];
    this.credentials = given.length < 2 ? given : null;
    if (this.credentials === null) this.finishAuth(given);
    else this.say('334 UGFzc3dvcmQ6');
  }

  private finishAuth([user, pass]: readonly string[]): void {
    const { auth } = this.owner.options;
    this.say(user === auth?.user && pass === auth?.pass ? '235 2.7.0 welcome' : '535 5.7.8 wrong');
  }
}

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString();

function manyLines(reply: string, count: number): string {
  const code = reply.slice(0, 3);
  return `${`${code}-${'x'.repeat(20)}\r\n`.repeat(count - 1)}${code} end`;
}

function readHeaders(raw: Buffer): Record<string, string> {
  const head = raw.toString('latin1', 0, Math.max(raw.indexOf('\r\n\r\n'), 0)).replace(/\r\n[ \t]/g, ' ');
  return Object.fromEntries(
    head.split('\r\n').map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

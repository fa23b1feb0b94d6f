import net from 'node:net';
import tls from 'node:tls';
import { ReplyReader } from './reply';
import type { ServerReply } from './reply';
import type { SmtpRoute } from './url';

/** Why an exchange with a server broke off. */
export type WireCause = 'timeout' | 'reset' | 'refused' | 'tls' | 'protocol' | 'lease';

/** Why a connection ended; its text contains neither hosts nor addresses. */
export class WireFailure extends Error {
  override readonly name = 'WireFailure';

  constructor(
    readonly reason: WireCause,
    message: string,
  ) {
    super(message);
  }
}

/** Waits until `look` returns what is waited for. */
interface Waiter {
  readonly look: () => unknown;
  readonly resolve: (found: unknown) => void;
  readonly reject: (failure: WireFailure) => void;
}

/** Replies are short. */
const READ_BYTES = 4_096;

/**
 * One TCP connection that carries SMTP lines. There is one wait at a time, with a time-out for the whole wait: bytes that trickle in do not extend it.
 * Replies that came before the connection died can still be read.
 */
export class SmtpWire {
  private socket: net.Socket;
  private readonly replies = new ReplyReader();
  private failure: WireFailure | null = null;
  private waiter: Waiter | null = null;
  private deadline = Number.POSITIVE_INFINITY;
  /** One timer for all waits, which looks for an overdue one when it expires: a wait is short, and a timer costs more than it. */
  private timer: NodeJS.Timeout | undefined;
  private looksAt = Number.POSITIVE_INFINITY;
  private connected = false;
  private securing = false;

  /** Begins to connect; with implicit TLS the handshake follows automatically. Throws WireFailure `lease` when nothing may be written. */
  constructor(
    private readonly route: SmtpRoute,
    private readonly mayWrite: () => boolean,
  ) {
    if (!mayWrite()) throw leaseOver();
    const { host, port, localAddress } = route;
    const to = localAddress === undefined ? { port } : { port, localAddress };
    this.securing = route.implicitTls;
    this.socket = route.implicitTls ? tls.connect({ ...this.tlsOptions(), ...to }) : net.connect({ host, ...to, onread: this.reader() });
    this.socket.setNoDelay(true);
    this.listen(route.implicitTls ? 'secureConnect' : 'connect');
  }

  get alive(): boolean {
    return this.failure === null;
  }

  /** True when no reply, and no part of one, waits to be read. */
  get quiet(): boolean {
    return this.replies.quiet;
  }

  get encrypted(): boolean {
    return this.connected && this.socket instanceof tls.TLSSocket;
  }

  async established(timeoutMs: number): Promise<void> {
    await this.wait(timeoutMs, this.isConnected);
  }

  /** Resolves to the next reply of the server, in order. */
  read(timeoutMs: number): Promise<ServerReply> {
    return this.wait(timeoutMs, this.take);
  }

  /** Takes the next reply if it has come. */
  readonly take = (): ServerReply | undefined => this.replies.shift();

  /** Whether written bytes are still in the process's buffers. */
  get holds(): boolean {
    return this.socket.writableLength > 0;
  }

  /** Hands bytes, of a string a character each, to the socket in one write. Throws WireFailure, and has written nothing, when the connection or the lease is over. */
  write(bytes: string | Uint8Array): void {
    if (this.failure !== null) throw this.failure;
    if (!this.mayWrite()) {
      const failure = leaseOver();
      this.fail(failure);
      throw failure;
    }
    if (typeof bytes === 'string') this.socket.write(bytes, 'latin1');
    else this.socket.write(bytes);
  }

  /** Resolves when everything written has left the process, or when the server sent something. */
  async flushed(timeoutMs: number): Promise<void> {
    this.socket.once('drain', this.wake);
    await this.wait(timeoutMs, this.isFlushed).finally(() => this.socket.off('drain', this.wake));
  }

  /** Starts TLS on the same connection after STARTTLS was granted. Drops unread plain text. */
  async secure(timeoutMs: number): Promise<void> {
    if (this.failure !== null) throw this.failure;
    const plain = this.socket;
    plain.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close');
    this.replies.clear();
    this.connected = false;
    this.securing = true;
    this.socket = tls.connect({ ...this.tlsOptions(), socket: plain });
    this.listen('secureConnect');
    await this.wait(timeoutMs, this.isConnected);
  }

  /** Ends the connection at once, and any wait with it. */
  destroy(): void {
    this.fail(new WireFailure('reset', 'the connection was closed from our side'));
  }

  private readonly isConnected = (): true | undefined => this.connected || undefined;
  private readonly isFlushed = (): true | undefined => this.socket.writableLength === 0 || this.replies.length > 0 || undefined;

  private tlsOptions(): tls.ConnectionOptions {
    const { host } = this.route;
    return {
      host,
      ...(net.isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: this.route.tls === 'required',
      minVersion: 'TLSv1.2',
    };
  }

  /** Reads into the same small buffer each time: a socket would allocate 64 KiB for every reply. */
  private reader(): net.OnReadOpts {
    const receive = (length: number, buffer: Uint8Array): boolean => {
      this.receive(Buffer.from(buffer.buffer as ArrayBuffer, buffer.byteOffset, length));
      return true;
    };
    return { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback: receive };
  }

  private listen(connectedEvent: 'connect' | 'secureConnect'): void {
    this.socket
      .on(connectedEvent, () => {
        this.connected = true;
        this.securing = false;
        this.wake();
      })
      .on('data', (chunk: Buffer) => this.receive(chunk))
      .on('error', (error: NodeJS.ErrnoException) => this.fail(this.explain(error)))
      .on('end', () => this.fail(this.closedByServer()))
      .on('close', () => this.fail(this.closedByServer()));
  }

  private receive(chunk: Buffer): void {
    try {
      this.replies.push(chunk);
    } catch (error) {
      this.fail(new WireFailure('protocol', (error as Error).message));
    }
    this.wake();
  }

  private wait<T>(timeoutMs: number, look: () => T | undefined): Promise<T> {
    const found = look();
    if (found !== undefined) return Promise.resolve(found);
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise<T>((resolve, reject) => {
      this.waiter = { look, resolve: resolve as Waiter['resolve'], reject };
      this.deadline = performance.now() + timeoutMs;
      if (this.deadline < this.looksAt) this.lookAfter(timeoutMs);
    });
  }

  private lookAfter(ms: number): void {
    clearTimeout(this.timer);
    this.looksAt = performance.now() + ms;
    this.timer = setTimeout(this.lookAtTime, ms).unref();
  }

  private readonly lookAtTime = (): void => {
    this.looksAt = Number.POSITIVE_INFINITY;
    if (this.waiter === null) return;
    const left = this.deadline - performance.now();
    if (left > 0) this.lookAfter(Math.ceil(left));
    else this.fail(new WireFailure('timeout', 'the server did not answer in time'));
  };

  private readonly wake = (): void => {
    const { waiter } = this;
    if (waiter === null) return;
    const found = waiter.look();
    if (found === undefined && this.failure === null) return;
    this.waiter = null;
    if (found === undefined) waiter.reject(this.failure!);
    else waiter.resolve(found);
  };

  private fail(failure: WireFailure): void {
    if (this.failure !== null) return;
    this.failure = failure;
    clearTimeout(this.timer);
    this.socket.destroy();
    this.wake();
  }

  private closedByServer(): WireFailure {
    return this.securing
      ? new WireFailure('tls', 'the connection ended during the TLS handshake')
      : new WireFailure('reset', 'the server closed the connection');
  }

  private explain(error: NodeJS.ErrnoException): WireFailure {
    const code = error.code ?? 'unknown error';
    if (error.code === 'ETIMEDOUT') return new WireFailure('timeout', 'the network timed out (ETIMEDOUT)');
    const dialling = !this.connected && ['connect', 'getaddrinfo'].includes(error.syscall ?? '');
    if (dialling) return new WireFailure('refused', `the connection could not be made (${code})`);
    if (this.securing || /^ERR_(SSL|TLS)/.test(code)) return new WireFailure('tls', `TLS failed (${code})`);
    return new WireFailure('reset', `the connection broke (${code})`);
  }
}

const leaseOver = (): WireFailure => new WireFailure('lease', 'the right to send has ended');

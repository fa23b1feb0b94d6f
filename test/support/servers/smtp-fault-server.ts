import net from 'node:net';
import tls from 'node:tls';
import { selfSignedCertificate } from './certificates';
import { forTheFile } from '../run/for-the-file';
import { FaultySession } from './smtp-fault-session';
import type { ReceivedMail, SessionOwner, SmtpMoment, SmtpScript, SmtpServerOptions } from './smtp-fault-session';

export type { ReceivedMail, SmtpFault, SmtpMoment, SmtpScript, SmtpServerOptions, SmtpStage } from './smtp-fault-session';

export class SmtpFaultServer implements SessionOwner {
  script: SmtpScript | ((moment: SmtpMoment) => SmtpScript);
  readonly messages: ReceivedMail[] = [];
  /** Every command line of every connection, in order of arrival. */
  readonly commands: string[] = [];
  /** Number of connections, and of messages that reached their end, with any answer. */
  readonly counts = { connections: 0, finalDots: 0, secured: 0 };
  readonly certificate = selfSignedCertificate();
  readonly sockets = new Set<net.Socket>();
  readonly server: net.Server;

  constructor(readonly options: SmtpServerOptions) {
    this.script = options.script ?? {};
    const serve = (socket: net.Socket) => new FaultySession(this, socket).greet();
    this.server = options.tls === 'implicit' ? tls.createServer(this.certificate, serve) : net.createServer(serve);
    this.server.prependListener('connection', (socket: net.Socket) => this.keep(socket));
    this.server.on('tlsClientError', () => undefined);
  }

  get port(): number {
    return (this.server.address() as net.AddressInfo).port;
  }

  /** Stops listening and destroys every connection. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private keep(socket: net.Socket): void {
    this.sockets.add(socket.setNoDelay(true));
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => socket.destroy());
  }
}

/** A real SMTP server on 127.0.0.1 that fails where the script says. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpFaultServer> {
  const faulty = new SmtpFaultServer(options);
  await new Promise<void>((resolve) => faulty.server.listen(0, '127.0.0.1', resolve));
  return faulty;
}

/** Such a server for the tests of a file. */
export const aMailServer = (options: SmtpServerOptions = {}): SmtpFaultServer =>
  forTheFile(
    () => startSmtpServer(options),
    (server) => server.close(),
  );

import type http from 'node:http';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { createSinkHttp } from './sink-http';
import { Inbox } from './sink-mail';
import { MailStore } from './sink-store';
import type { HostCheck } from './settings';

const LARGEST_MAIL_BYTES = 64 * 1024 * 1024;

const tooLarge = (): Error => Object.assign(new Error('5.3.4 The message is too large'), { responseCode: 552 });

async function take(store: MailStore, stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw tooLarge();
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  await store.add(
    from,
    envelope.rcptTo.map(({ address }) => address),
    Buffer.concat(chunks),
  );
}

/** Returns an SMTP server for loopback that takes every message at once and gives it to the store. */
const createSinkSmtp = (store: MailStore): SMTPServer =>
  new SMTPServer({
    name: 'sink.localhost',
    banner: 'Lettermill sink',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideSize: false,
    size: LARGEST_MAIL_BYTES,
    closeTimeout: 2_000,
    onData: (stream, session, done) => {
      take(store, stream, session).then(() => done(), done);
    },
  });

function listen(server: SMTPServer | http.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

/** A running sink. */
export interface Sink {
  /** Refuses new connections, ends the open ones, and resolves when all that was taken is in its file. */
  close(): Promise<void>;
}

/** The mail folder and ports of a sink, and the hosts that may see the inbox. */
export interface SinkOptions {
  readonly folder: string;
  readonly smtpPort: number;
  readonly httpPort: number;
  readonly isOwnHost: HostCheck;
}

/** Takes all mail at `smtpPort`, keeps the newest in `folder` and shows them at `httpPort`; loopback only. */
export async function startSink({ folder, smtpPort, httpPort, isOwnHost }: SinkOptions): Promise<Sink> {
  const store = await MailStore.open(folder);
  const smtp = createSinkSmtp(store);
  const web = createSinkHttp(new Inbox(store), isOwnHost);
  await Promise.all([listen(smtp, smtpPort), listen(web, httpPort)]);
  // A client that resets its connection is no reason to end.
  smtp.on('error', () => undefined);
  return {
    close: async () => {
      web.closeAllConnections();
      await Promise.all([new Promise<void>((resolve) => smtp.close(() => resolve())), new Promise((resolve) => web.close(resolve))]);
      await store.close();
    },
  };
}

import type http from 'node:http';
import type { SMTPServer } from 'smtp-server';
import { createSinkHttp } from './sink-http';
import { Inbox } from './sink-mail';
import { createSinkSmtp } from './sink-smtp';
import { MailStore } from './sink-store';

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

/** Takes all mail at `smtpPort`, keeps the newest in `folder` and shows them at `httpPort`; loopback only. */
export async function startSink(folder: string, smtpPort: number, httpPort: number): Promise<Sink> {
  const store = await MailStore.open(folder);
  const smtp = createSinkSmtp(store);
  const web = createSinkHttp(new Inbox(store));
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

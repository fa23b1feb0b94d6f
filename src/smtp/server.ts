import { SMTPServer } from 'smtp-server';
import type { Logger } from '../log';

const CLOSE_WITHIN_MS = 15_000;

const noSuchUser = (): Error => Object.assign(new Error('5.1.1 No such user here'), { responseCode: 550 });

/** The server that other mail hosts talk to. It knows no recipient yet and refuses each of them (RFC 3463: 5.1.1). */
export function createInboundServer(log: Logger): SMTPServer {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: CLOSE_WITHIN_MS,
    onRcptTo: (_address, _session, done) => done(noSuchUser()),
  });
  server.on('error', (error) => log.warn({ error: error.message }, 'an inbound connection failed'));
  return server;
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { loadServerConfig } from '../config';
import { createLogger } from '../log';
import { toldToStop } from '../stop-signal';
import { createInboundServer } from './server';

/** `npm run smtp`: listens on INBOUND_SMTP_PORT; on SIGTERM open connections may end what they began. */
async function main(): Promise<void> {
  const config = loadServerConfig();
  const log = createLogger(config, 'smtp');
  const server = createInboundServer(log);
  const listening = server.listen(config.INBOUND_SMTP_PORT, config.HOST);
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  log.info({ host: config.HOST, port }, 'inbound SMTP is listening');
  process.send?.({ listening: port });
  await toldToStop();
  log.info('inbound SMTP is stopping');
  server.close(() => process.exit(0));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

import '../../platform/start-up/help-start';
import '../../platform/tracing';
import { listenUntilStopped } from '../../composition/process';
import { endWith } from '../../platform/start-up';
import { InboundServer } from './server';

/**
 * Runs inbound SMTP (`npm run smtp`) on INBOUND_SMTP_PORT. It accepts mail while MongoDB is available, with or without Temporal, and defers
 * it otherwise. On SIGTERM, messages that are being received are finished.
 */
void listenUntilStopped('smtp', ({ core, ready }) => {
  const inbound = new InboundServer(core, ready);
  return { server: inbound.server.server, variable: 'INBOUND_SMTP_PORT', close: () => inbound.close() };
}).then(() => process.exit(), endWith);

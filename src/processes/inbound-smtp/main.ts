import '../../platform/start-up/help-start';
import '../../platform/tracing';
import { listenUntilStopped } from '../../composition/process';
import { endWith } from '../../platform/start-up';
import { InboundServer } from './server';
import { SubmissionServers } from './submission/server';

/**
 * Runs inbound SMTP (`npm run smtp`) on INBOUND_SMTP_PORT, and SMTP submission on SUBMISSION_PORT and SUBMISSION_TLS_PORT. It accepts mail while MongoDB is
 * available, with or without Temporal, and defers it otherwise. On SIGTERM, messages that are being received are finished.
 */
void listenUntilStopped('smtp', ({ core, ready }) => {
  const inbound = new InboundServer(core, ready);
  const submission = new SubmissionServers(core, ready);
  return {
    server: inbound.server.server,
    variable: 'INBOUND_SMTP_PORT',
    besides: submission.listening.map(({ variable, server }) => ({ variable, server: server.server })),
    close: () => inbound.close(submission.close()),
  };
}).then(() => process.exit(), endWith);

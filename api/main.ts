import '../src/platform/start-up/help-start';
import '../src/platform/tracing';
import { listenUntilStopped } from '../src/composition/process';
import { ANSWER_MS } from '../src/platform/core';
import { boundOthers } from '../src/platform/mongo';
import { endWith } from '../src/platform/start-up';
import { isTrackingHost } from '../src/sending/domains';
import { createApp } from './app';
import { drain } from './http/drain';
import { httpServer } from './http/server';

void listenUntilStopped('api', ({ config, core, probes, ready }) => {
  const app = createApp({ core, health: () => probes.asked(), probe: (path) => probes.answer(path), ready });
  const server = httpServer(app, config.PUBLIC_URL);
  return {
    server,
    variable: 'PORT',
    close: () => drain(server),
    mayBeCertified: isTrackingHost,
    // What was done to the schema took as long as it did; from now on all queries are for requests.
    connected: () => boundOthers(ANSWER_MS),
  };
}).then(() => process.exit(), endWith);

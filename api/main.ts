import '../src/platform/start-up/help-start';
import '../src/platform/tracing';
import { listenUntilStopped } from '../src/composition/process';
import { ANSWER_MS } from '../src/platform/core';
import { withinLimit } from '../src/platform/async';
import { boundOthers } from '../src/platform/mongo';
import { endWith } from '../src/platform/start-up';
import { isTrackingHost } from '../src/sending/domains';
import { standingStill, watchPresence } from '../src/upkeep/presence';
import { createApp } from './app';
import { drain } from './http/drain';
import { httpServer } from './http/server';

const STILL_MS = 2_000;

/** Resolves to the stalled parts; to none when the answer does not come in time, or the database is unavailable. */
const stillWithin = (): Promise<readonly string[]> => withinLimit(STILL_MS, standingStill).catch(() => []);

void listenUntilStopped('api', ({ config, core, log, probes, ready, stopping }) => {
  const health = async () => {
    const [checks, details] = await Promise.all([probes.asked(), stillWithin()]);
    return { ...checks, details };
  };
  const app = createApp({ core, health, probe: (path) => probes.answer(path), ready });
  const server = httpServer(app, config.PUBLIC_URL);
  return {
    server,
    variable: 'PORT',
    close: () => drain(server),
    mayBeCertified: isTrackingHost,
    connected: (mayRun) => {
      // What was done to the schema took as long as it did; from now on all queries are for requests.
      boundOthers(ANSWER_MS);
      if (mayRun && config.METRICS_PORT !== undefined) watchPresence(log, stopping);
    },
  };
}).then(() => process.exit(), endWith);

import { wantsTraces } from '../config';
import type * as Sdk from './trace-sdk';
import type { TraceSdk } from './trace-sdk';

/** Loaded with this module, which processes import before anything else: what is loaded before tracing begins cannot be traced. */
const sdk: TraceSdk | null = wantsTraces() ? startSdk() : null;

function startSdk(): TraceSdk {
  // oxlint-disable-next-line typescript/no-require-imports -- a process without tracing does not load it
  const { startTraceSdk } = require('./trace-sdk') as typeof Sdk;
  return startTraceSdk();
}

/** Returns the source of spans; null while tracing is off, and then no module of OpenTelemetry is loaded. */
export const tracing = (): TraceSdk | null => sdk;

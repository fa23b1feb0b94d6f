import { wantsTraces } from '../config';
import { noteTracing } from './trace';
import type * as Sdk from './trace-sdk';

/** Imported before anything else by the processes: what is loaded before tracing begins cannot be traced. */
if (wantsTraces()) {
  // oxlint-disable-next-line typescript/no-require-imports -- a process without tracing does not load it
  const { startTraceSdk } = require('./trace-sdk') as typeof Sdk;
  noteTracing(startTraceSdk());
}

import type { TraceSdk } from './trace-sdk';

let started: TraceSdk | null = null;

/** Returns what makes spans; null while tracing is off, and then no module of OpenTelemetry is loaded. */
export const tracing = (): TraceSdk | null => started;

/** Sets the SDK, once, by the first module that a process loads. */
export const noteTracing = (sdk: TraceSdk): void => {
  started = sdk;
};

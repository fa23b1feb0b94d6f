import { hook } from '../hooks';
import type { TraceSdk } from './trace-sdk';

/** Answered, once, by the first module that a traced process loads. */
const sdk = hook<TraceSdk>('what makes spans');

/** Returns what makes spans; null while tracing is off, and then no module of OpenTelemetry is loaded. */
export const tracing = (): TraceSdk | null => sdk.optional[0] ?? null;

/** Sets the SDK. */
export const noteTracing = (made: TraceSdk): void => sdk.answer('trace-start', made);

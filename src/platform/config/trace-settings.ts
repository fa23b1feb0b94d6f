import { z } from 'zod';

/** Standard variables of OpenTelemetry by which traces are switched on; the SDK reads the rest itself (docs/tracing.md). */
export const traceSettings = {
  OTEL_TRACES_EXPORTER: z
    .enum(['otlp', 'none'])
    .optional()
    .describe('otlp sends traces (docs/tracing.md); default otlp with an endpoint, else none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional().describe('the collector; default http://localhost:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional().describe('the same, with the whole path'),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).optional().describe('true turns traces off'),
};

type TraceSettings = { readonly [K in keyof typeof traceSettings]?: z.output<(typeof traceSettings)[K]> };

/** Returns whether traces are switched on by what is given of these settings. */
export function tracesEnabled(given: TraceSettings): boolean {
  if (given.OTEL_SDK_DISABLED === 'true') return false;
  if (given.OTEL_TRACES_EXPORTER !== undefined) return given.OTEL_TRACES_EXPORTER === 'otlp';
  return given.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined || given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined;
}

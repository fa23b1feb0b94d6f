import { z } from 'zod';

// Kinds of settings: each reads the text of a variable.

export const yesOrNo = z.enum(['true', 'false', '1', '0']);
export const isYes = (text: z.infer<typeof yesOrNo>): boolean => text === 'true' || text === '1';
/** Declares a setting that is on or off. */
export const flag = (fallback: boolean) => yesOrNo.default(fallback ? 'true' : 'false').transform(isYes);

/** Declares a list of spans in seconds, separated by commas. */
export const seconds = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((list) => list.split(',').map((part) => Number(part.trim())))
    .pipe(z.array(z.number().positive().finite()).min(1));

/** Declares a whole number within bounds. */
export const count = (fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

export const hostName = z
  .string()
  .toLowerCase()
  .regex(/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/, 'must be a host name');

export const buildName = z.string().regex(/^[\w.+/-]{1,64}$/, 'must be a commit, or another name of letters and digits');

export const filePath = z.string().min(1).optional();

/** Names or numbers with commas between them. */
const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item));

export const hostList = listOf(hostName);
export const addressList = listOf(z.union([z.ipv4(), z.ipv6()], 'must be IP addresses'));

/** rspamd over HTTP, or SpamAssassin's own protocol; without a password, which a URL would show. */
export const spamFilterUrl = z
  .string()
  .regex(
    /^(https?|spamd):\/\/(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?(\/[^\s?#@]*)?$/i,
    'must be http://, https:// or spamd://, a host and a port',
  );

export const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

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

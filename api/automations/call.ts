import { z } from 'zod';
import { parsedUrl } from '../../src/rules/parsed-url';
import { PATTERNS } from '../http/patterns';
import { LINE_BREAKING, fault, oneLine } from '../http/pieces';

const PLACE = /^https?:\/\/([^\s/?#{}@\\]+)(?:[/?#]|$)/i;

/** Returns where a webhook node calls. Path and query may hold placeholders; the host is known when the graph is saved. */
export const callUrl = oneLine(2_048, 1)
  .superRefine((text, ctx) => {
    const host = PLACE.exec(text)?.[1];
    if (host === undefined || !parsedUrl(`https://${host}/`)) {
      fault(ctx, 'invalid_string', 'Must be an http or https URL, without placeholders or credentials in its host');
    }
  })
  .meta({ pattern: PATTERNS.callUrl });

const NAME = /^[A-Za-z0-9-]{1,76}$/;
const MAX_ENTRIES = 50;
const MAX_VALUE = 998;

/** What frames a request on its connection (RFC 9110, 7.6.1) belongs to the HTTP client. */
const OURS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const OUR_PREFIXES = ['proxy-', 'x-lettermill-'];

function checkHeader(name: string, value: string, ctx: z.RefinementCtx): void {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) fault(ctx, 'invalid_header', 'Not a header name', [name]);
  else if (OURS.has(lower) || OUR_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    fault(ctx, 'invalid_header', 'This header is the platform’s own', [name]);
  } else if (value.length > MAX_VALUE || LINE_BREAKING.test(value)) {
    fault(ctx, 'invalid_header', `At most ${MAX_VALUE} characters, without CR, LF and NUL`, [name]);
  }
}

/** Headers of a webhook node's request; values may hold placeholders. */
export const callHeaders = z.record(z.string(), z.string()).superRefine((headers, ctx) => {
  const entries = Object.entries(headers);
  if (entries.length > MAX_ENTRIES) fault(ctx, 'too_big', `At most ${MAX_ENTRIES} headers`);
  else for (const [name, value] of entries) checkHeader(name, value, ctx);
});

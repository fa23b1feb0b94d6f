import { z } from 'zod';
import { LINE_BREAKING, fault } from '../http/pieces';

const NAME = /^[A-Za-z0-9-]{1,76}$/;
const MAX_ENTRIES = 50;
const MAX_VALUE = 998;

/** Headers that the platform itself writes, or that would speak for somebody else (docs/errors.md, Limits on text). */
const OURS: ReadonlySet<string> = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'sender',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'return-path',
  'received',
  'dkim-signature',
  'authentication-results',
  'mime-version',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
  'auto-submitted',
  'delivered-to',
  'errors-to',
  'disposition-notification-to',
]);
const OUR_PREFIXES = ['arc-', 'content-', 'resent-', 'x-lettermill-'];

function isOurs(name: string): boolean {
  const lower = name.toLowerCase();
  return OURS.has(lower) || OUR_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

function readHeader(name: string, value: unknown, ctx: z.RefinementCtx): readonly [string, string] {
  if (typeof value !== 'string') return fault(ctx, 'invalid_type', 'Must be a string', [name]);
  if (!NAME.test(name)) return fault(ctx, 'invalid_header', 'Not a header name', [name]);
  if (isOurs(name)) return fault(ctx, 'invalid_header', 'The platform sets this header', [name]);
  if (value.length > MAX_VALUE || LINE_BREAKING.test(value)) {
    return fault(ctx, 'invalid_header', `At most ${MAX_VALUE} characters, without CR, LF and NUL`, [name]);
  }
  return [name, value];
}

function readHeaders(value: unknown, ctx: z.RefinementCtx): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fault(ctx, 'invalid_type', 'Must be an object of strings');
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > MAX_ENTRIES) return fault(ctx, 'too_big', `At most ${MAX_ENTRIES} headers`);
  return entries.map(([name, text]) => readHeader(name, text, ctx));
}

/** Custom headers of a message, in the order given. */
export const customHeaders = z
  .unknown()
  .transform(readHeaders)
  .meta({ type: 'object', maxProperties: MAX_ENTRIES, additionalProperties: { type: 'string', maxLength: MAX_VALUE } });

import { z } from 'zod';
import { MAX_ADDRESS_LENGTH, normalizeAddress, parseAddress } from '../../src/platform/addresses';
import { TAG_TEXT } from '../../src/records/emails';
import type { DetailCode } from '../../src/platform/core';
import { isLanguageTag } from '../../src/rules/languages';
import { isSystemName } from '../../src/rules/system-events';
import { parsedUrl } from '../../src/rules/parsed-url';
import { MAX_ZONE_LENGTH, isTimeZone } from '../../src/rules/zoned-time';
import { isReservedKey } from './json-guard';
import { PATTERNS } from './patterns';
import { besideMembers } from './together';

export const MEBIBYTE = 1024 * 1024;

/** Adds a fault with a detail code of docs/errors.md; the value of the schema is then of no meaning. */
export function fault(ctx: z.RefinementCtx, code: DetailCode, message: string, path: PropertyKey[] = []): never {
  ctx.addIssue({ code: 'custom', params: { code }, message, path });
  return z.NEVER;
}

/** Returns a fault with a detail code of docs/errors.md, for `refine` and `regex`-like checks. */
export const because = (code: DetailCode, message: string, path?: PropertyKey[]) => ({
  params: { code },
  error: message,
  ...(path && { path }),
});

/** Creates a rule about several members of an object, which is checked together with single members, not only after them. */
export const together = (message: string, path: string) => ({
  ...because('invalid_combination', message, [path]),
  ...besideMembers,
});

/** Returns a text that `read` turns into a value, or faults. */
const parsed = <T>(read: (text: string, ctx: z.RefinementCtx) => T, meta: z.GlobalMeta) => z.string().transform(read).meta(meta);

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export const id = z.string().regex(ID, 'Not an id').meta({ description: 'An opaque id' });

/** Returns the result of `read` for an address, or the fault noted at `path`. */
function address(text: string, ctx: z.RefinementCtx, path: PropertyKey[], read: (text: string) => string | null): string {
  if (text.length > MAX_ADDRESS_LENGTH) return fault(ctx, 'too_big', `An address has at most ${MAX_ADDRESS_LENGTH} characters`, path);
  return read(text) ?? fault(ctx, 'invalid_string', 'Not an e-mail address', path);
}

/** Returns a bare address in its stored form; a fault is noted at `path`. */
export const readAddress = (text: string, ctx: z.RefinementCtx, path: PropertyKey[] = []): string =>
  address(text, ctx, path, normalizeAddress);

/** Returns a bare address; lower-cased, with an internationalised domain in ASCII form. */
export const emailAddress = parsed((text, ctx) => readAddress(text, ctx), { format: 'email', maxLength: MAX_ADDRESS_LENGTH });

function keepingCase(text: string): string | null {
  const parts = parseAddress(text);
  return parts && `${parts.local}@${parts.domain}`;
}

/** Like `emailAddress`, but the local part keeps its case. */
export const caseKeepingAddress = parsed((text, ctx) => address(text, ctx, [], keepingCase), {
  format: 'email',
  maxLength: MAX_ADDRESS_LENGTH,
});

/** In a path: an id, or, with an `@`, an address (in its stored form). */
export const idOrAddress = parsed(
  (text, ctx) => {
    if (text.includes('@')) return readAddress(text, ctx);
    return ID.test(text) ? text : fault(ctx, 'invalid_string', 'Neither an id nor an e-mail address');
  },
  { description: 'An id or a URL-encoded e-mail address', maxLength: MAX_ADDRESS_LENGTH, pattern: PATTERNS.idOrAddress },
);

/** The characters that end a header. */
export const LINE_BREAKING = /[\r\n\0]/;

/** Accepts one line of text: no CR, LF or NUL. */
export const oneLine = (max: number, min = 0) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((text) => !LINE_BREAKING.test(text), because('invalid_string', 'Must be one line'))
    .meta({ pattern: PATTERNS.oneLine });

/** Kept in NFC, in which it is searched for. */
export const name = oneLine(200, 1).normalize('NFC');
export const personName = oneLine(200);
/** For received mail, or where an empty subject means none; sent mail needs one. */
export const optionalSubject = oneLine(998);
export const subject = oneLine(998, 1);
export const previewText = oneLine(998);

const withinBytes = (text: string, max: number): boolean =>
  text.length * 3 <= max || (text.length <= max && Buffer.byteLength(text) <= max);

const textFrom = (min: number) =>
  z
    .string()
    .min(min)
    .refine((text) => withinBytes(text, MEBIBYTE), because('too_big', 'At most 1 MiB'))
    .meta({ maxLength: MEBIBYTE });

/** HTML or text of a message that came in: at most 1 MiB in UTF-8. */
export const receivedText = textFrom(0);
/** HTML or text of a message that goes out: the same, and not empty. */
export const bodyText = textFrom(1);

/** A NUL in one of these is reported like a line break. */
const SUBJECTS: ReadonlySet<string> = new Set(['subject', 'abSubjectB', 'previewText']);

/** Picks the members of a raw body that are texts of an accepted length. */
export function textsOf<K extends string>(body: unknown, keys: readonly K[]): { readonly [T in K]?: string } {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const texts = keys.filter(
    (key) => typeof fields[key] === 'string' && withinBytes(fields[key], MEBIBYTE) && !(SUBJECTS.has(key) && fields[key].includes('\0')),
  );
  return Object.fromEntries(texts.map((key) => [key, fields[key]])) as { readonly [T in K]?: string };
}

const EVENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$/;
export const eventName = z.string().regex(EVENT_NAME, 'Not an event name');
export const fieldName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'Not a field name');

/** The name of a field or column to create. */
export const newFieldName = fieldName.refine((name) => !isReservedKey(name), because('reserved_name', 'This name is reserved'));

/** The name of an event that belongs to the caller. */
export const callerEventName = eventName
  .refine(
    (text) => !isSystemName(text) || !EVENT_NAME.test(text),
    because('reserved_name', 'Names beginning with email., contact., segment. or workflow. belong to the system'),
  )
  .meta({ not: { pattern: PATTERNS.systemEvent } });

/** A BCP 47 language tag. */
export const locale = z
  .string()
  .max(64, { abort: true })
  .refine(isLanguageTag, because('invalid_string', 'Not a BCP 47 language tag'))
  .meta({ pattern: PATTERNS.locale });

/** The name of a time zone, as the zone database has it. */
export const timezone = z
  .string()
  .max(MAX_ZONE_LENGTH, { abort: true })
  .refine(isTimeZone, because('invalid_string', 'Not a time zone, such as Europe/Vienna'));

const INSTANTS = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** An instant; ISO 8601 with an offset or `Z`, with seconds or without. */
export const instant = z
  .string()
  .refine(
    (text) => INSTANTS.some((form) => form.safeParse(text).success),
    because('invalid_string', 'Must be an instant with an offset, like 2026-11-23T09:00:00Z'),
  )
  .transform((text) => new Date(text))
  .meta({ format: 'date-time' });

const DAY_MS = 86_400_000;

/** Returns an instant between `minMs` and `maxMs` from now; `invalid_date` otherwise. */
export const instantAhead = (minMs: number, maxMs: number = 365 * DAY_MS) =>
  instant.refine(
    (at) => {
      const ahead = at.getTime() - Date.now();
      return ahead >= minMs && ahead <= maxMs;
    },
    because('invalid_date', 'Must be in the future, at most 365 days ahead'),
  );

export const httpUrl = z
  .string()
  .max(2048)
  .refine(
    (text) => {
      const url = parsedUrl(text);
      return (url?.protocol === 'https:' || url?.protocol === 'http:') && !LINE_BREAKING.test(text);
    },
    because('invalid_string', 'Not an http or https URL'),
  )
  .meta({ format: 'uri' });

/** Returns an array whose length is checked before its items: a million bad items are one fault. */
export const boundedArray = <T extends z.ZodType>(item: T, min: number, max: number) =>
  z.preprocess((value, ctx) => {
    if (!Array.isArray(value) || (value.length >= min && value.length <= max)) return value;
    const long = value.length > max;
    return fault(ctx, long ? 'too_big' : 'too_small', `Must hold ${min} to ${max} items, not ${value.length}`);
  }, z.array(item).min(min).max(max));

/** Accepts free-form data, bounded in bytes of JSON, in keys, and in nesting. */
function freeForm(limits: { readonly maxBytes: number; readonly maxKeys?: number; readonly maxDepth?: number; readonly key?: RegExp }) {
  const check = (value: Record<string, unknown>, ctx: z.RefinementCtx): Record<string, unknown> => {
    const keys = Object.keys(value);
    if (limits.maxKeys !== undefined && keys.length > limits.maxKeys) return fault(ctx, 'too_big', `At most ${limits.maxKeys} keys`);
    const bad = limits.key ? keys.filter((key) => !limits.key?.test(key)) : [];
    for (const key of bad) fault(ctx, 'invalid_string', 'Not a field name', [key]);
    if (limits.maxDepth !== undefined && deeperThan(value, limits.maxDepth))
      return fault(ctx, 'too_big', `At most ${limits.maxDepth} levels deep`);
    if (!withinBytes(JSON.stringify(value), limits.maxBytes)) return fault(ctx, 'too_big', `At most ${limits.maxBytes} bytes of JSON`);
    return value;
  };
  return z.record(z.string(), z.unknown()).transform(check);
}

const deeperThan = (value: unknown, depth: number): boolean =>
  typeof value === 'object' && value !== null && (depth === 0 || Object.values(value).some((inner) => deeperThan(inner, depth - 1)));

/** Custom fields of a contact. */
export const contactData = freeForm({ maxBytes: 32_768, maxKeys: 200, maxDepth: 5, key: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/ });
export const eventData = freeForm({ maxBytes: 32_768 });

/** Values for placeholders; any JSON. */
export const variables = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Values for placeholders; they win over contact fields of the same name' });

// What arrives in a query is text.

export const wholeNumber = (min: number, max: number) =>
  parsed(
    (text, ctx) => {
      if (!/^-?\d{1,15}$/.test(text)) return fault(ctx, 'invalid_type', 'Must be a whole number');
      const value = Number(text);
      if (value < min) return fault(ctx, 'too_small', `Must be at least ${min}`);
      return value > max ? fault(ctx, 'too_big', `Must be at most ${max}`) : value;
    },
    { type: 'integer', minimum: min, maximum: max },
  );

export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });

export const search = z.string().max(200);

/** A tag as `name:value`. */
export const tagText = z.string().regex(TAG_TEXT, 'Must be name:value');

/** Any JSON. Described as such: member by member it would be a schema of itself, which generators of clients cannot read. */
export const anyJson = z.json();
anyJson._zod.toJSONSchema = () => ({});

// What goes out.

/** One fault of a request. */
export const faultDetail = z
  .object({
    path: z.string().meta({ description: 'Where the fault is, dotted: messages.2.to' }),
    message: z.string().meta({ description: 'A human-readable description of the fault' }),
    code: z.string().meta({ description: 'The kind of fault, for programs' }),
  })
  .meta({ id: 'ErrorDetail', description: 'One fault of a request' });

/** Returns a member that this implementation adds to what the API promises. */
export const extended = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description, 'x-extension': true });

/** Marks a member as `extended` does; its description begins by saying that it is an extension. */
export const added = <T extends z.ZodType>(schema: T, said: string): T => extended(schema, `An extension of this implementation: ${said}`);

/** Returns a filter of a list that this implementation adds to what the API promises. */
export const addedFilter = <T extends z.ZodType>(schema: T) => extended(schema.optional(), 'An extension of this implementation');

/** In a query: a tag as `name:value`. */
export const tag = added(tagText.optional(), 'only mail with this tag, as `name:value`');

export const nameSearch = added(search.optional(), 'a substring of the name, case-insensitive; not a pattern');

const followed = {
  opens: z.boolean().optional().meta({ description: 'Whether opens are followed, by a picture' }),
  clicks: z.boolean().optional().meta({ description: 'Whether clicks are followed, by links that lead through the platform' }),
};

/** The tracking of a message; absent members fall back to other settings. */
export const trackingWish = z.strictObject(followed).meta({ id: 'TrackingWish', description: 'Settings that are absent are inherited' });
export const ShownTracking = z.object(followed).meta({ id: 'Tracking', description: 'The tracking settings of the request' });

/** An instant in an answer: a `Date`, or its text in an answer that was stored. JSON has the same for both. */
export const timestamp = z
  .custom<Date | string>((at) => at instanceof Date || typeof at === 'string')
  .meta({ type: 'string', format: 'date-time' });
export const optionalTimestamp = timestamp.nullable();
export const optionalText = z.string().nullable();
export const count = z.int();
export const json = z.record(z.string(), z.unknown());
/** Marks a replay; absent otherwise. */
export const replay = z.literal(true).optional().meta({ description: 'Only on an idempotent replay' });
export const Deleted = z.object({ success: z.literal(true) }).meta({ id: 'Deleted' });

export const IdParams = z.object({ id });

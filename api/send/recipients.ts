import { z } from 'zod';
import { MAX_DISPLAY_NAME, parseMailbox } from '../../src/platform/addresses';
import type { Mailbox } from '../../src/platform/addresses';
import { didYouMean } from '../http/issue-texts';
import { LINE_BREAKING, fault, readAddress } from '../http/pieces';

const MAX_RECIPIENTS = 50;
const KEYS = ['email', 'name'];

function readName(value: unknown, ctx: z.RefinementCtx, path: PropertyKey[]): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') return fault(ctx, 'invalid_type', 'Must be a string', [...path, 'name']);
  if (value.length > MAX_DISPLAY_NAME) return fault(ctx, 'too_big', `At most ${MAX_DISPLAY_NAME} characters`, [...path, 'name']);
  return LINE_BREAKING.test(value) ? fault(ctx, 'invalid_string', 'Must be one line', [...path, 'name']) : value;
}

function readObject(value: object, ctx: z.RefinementCtx, path: PropertyKey[]): Mailbox {
  const { email, name, ...unknown } = value as Record<string, unknown>;
  for (const key of Object.keys(unknown)) fault(ctx, 'unrecognized_keys', `Unknown key${didYouMean(key, KEYS)}`, [...path, key]);
  const emailPath = [...path, 'email'];
  const address =
    typeof email === 'string' ? readAddress(email, ctx, emailPath) : fault(ctx, 'invalid_type', 'Must be an address', emailPath);
  return { email: address, name: readName(name, ctx, path) };
}

/** Returns an address, or one with a name before it; anything else is judged as an address. */
function readMailbox(text: string, ctx: z.RefinementCtx, path: PropertyKey[] = []): Mailbox {
  return parseMailbox(text) ?? { email: readAddress(text, ctx, path), name: null };
}

export const MAILBOX = {
  type: 'string',
  'x-extension': true,
  description: 'An address; an extension of this implementation takes one with a name before it: `Ada Lovelace <ada@example.com>`',
} as const;

/** The mailbox of a sender. */
export const mailbox = z
  .string({ error: 'Must be an address, perhaps with a name before it: "Ada <ada@example.com>"' })
  .transform((text, ctx) => readMailbox(text, ctx))
  .meta(MAILBOX);

function readRecipient(value: unknown, ctx: z.RefinementCtx, path: PropertyKey[]): Mailbox {
  if (typeof value === 'string') return readMailbox(value, ctx, path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return readObject(value, ctx, path);
  return fault(ctx, 'invalid_type', 'Must be an address, {email, name}, or an array of them', path);
}

function readRecipients(value: unknown, ctx: z.RefinementCtx): { readonly many: boolean; readonly list: readonly Mailbox[] } {
  if (!Array.isArray(value)) return { many: false, list: [readRecipient(value, ctx, [])] };
  if (value.length === 0) return fault(ctx, 'too_small', 'At least one recipient');
  if (value.length > MAX_RECIPIENTS) return fault(ctx, 'too_big', `At most ${MAX_RECIPIENTS} recipients`);
  return { many: true, list: value.map((entry, index) => readRecipient(entry, ctx, [index])) };
}

const ONE_RECIPIENT = [
  MAILBOX,
  {
    type: 'object',
    properties: { email: { type: 'string', format: 'email' }, name: { type: 'string', maxLength: MAX_DISPLAY_NAME } },
    required: ['email'],
    additionalProperties: false,
  },
];

const RECIPIENTS = [...ONE_RECIPIENT, { type: 'array', minItems: 1, maxItems: MAX_RECIPIENTS, items: { anyOf: ONE_RECIPIENT } }];

/** Read by hand: a union would name its branches, not the entry that is wrong, and costs several times as much. */
export const recipients = z.unknown().transform(readRecipients).meta({
  description: 'An address, {email, name}, or an array of them; each recipient gets a message of their own, unless there is `cc` or `bcc`',
  anyOf: RECIPIENTS,
});

/** Accepts recipients of copies, in the same forms. */
const copies = (description: string) =>
  recipients.transform(({ list }) => list).meta({ description, 'x-extension': true, anyOf: RECIPIENTS });

export const cc = copies('An extension of this implementation: who also gets the message, for all to see');
export const bcc = copies('An extension of this implementation: who also gets the message, without the others seeing it');

import { z } from 'zod';
import { MAX_DISPLAY_NAME, normalizeAddress, parseMailbox } from '../../src/platform/addresses';
import type { Mailbox } from '../../src/platform/addresses';
import { orNull } from '../../src/platform/core';
import { whatWasMeant } from '../http/known-elsewhere';
import { once } from '../http/keys-and-repeats';
import {
  LINE_BREAKING,
  added,
  bodyText,
  fault,
  id,
  instantAhead,
  locale,
  personName,
  readAddress,
  subject,
  trackingWish,
  variables,
  boundedArray,
} from '../http/pieces';
import { PATTERNS } from '../http/patterns';
import { absent, given, holds, withMembers } from '../http/together';
import { sendOnce, throttle } from '../http/limits';
import { attachments } from './attachments';
import { customHeaders } from './headers';
import { TOPIC_IS_FOR_MARKETING } from '../../src/sending/accept';
import { TAG_NAME, TAG_VALUE, tagText } from '../../src/records/emails';

const MAX_RECIPIENTS = 50;
const MOST_LISTED = 4_000;
const KEYS = ['email', 'name'];

function readName(value: unknown, ctx: z.RefinementCtx, path: PropertyKey[]): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') return fault(ctx, 'invalid_type', 'Must be a string', [...path, 'name']);
  if (value.length > MAX_DISPLAY_NAME) return fault(ctx, 'too_big', `At most ${MAX_DISPLAY_NAME} characters`, [...path, 'name']);
  return LINE_BREAKING.test(value) ? fault(ctx, 'invalid_string', 'Must be one line', [...path, 'name']) : value;
}

function readObject(value: object, ctx: z.RefinementCtx, path: PropertyKey[]): Mailbox {
  const { email, name, ...unknown } = value as Record<string, unknown>;
  for (const key of Object.keys(unknown)) fault(ctx, 'unrecognized_keys', `Unknown key${whatWasMeant(key, KEYS)}`, [...path, key]);
  const emailPath = [...path, 'email'];
  const address =
    typeof email === 'string' ? readAddress(email, ctx, emailPath) : fault(ctx, 'invalid_type', 'Must be an address', emailPath);
  return { email: address, name: readName(name, ctx, path) };
}

/** Returns an address, or one with a name before it; anything else is checked as an address. */
function readMailbox(text: string, ctx: z.RefinementCtx, path: PropertyKey[] = []): Mailbox {
  return parseMailbox(text) ?? { email: readAddress(text, ctx, path), name: null };
}

// Several addresses in one text, as a mail program writes them.
const isSeveral = (text: string): boolean => {
  const parts = text
    .slice(0, MOST_LISTED)
    .split(/[,;]/)
    .map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => part === '' || normalizeAddress(part) !== null || parseMailbox(part) !== null);
};

const MAILBOX = {
  type: 'string',
  pattern: PATTERNS.mailbox,
  'x-extension': true,
  description: 'An address; an extension of this implementation accepts a name before it: `Ada Lovelace <ada@example.com>`',
} as const;

/** The mailbox of a sender. */
const mailbox = z
  .string({ error: 'Must be an address, optionally with a name: "Ada <ada@example.com>"' })
  .transform((text, ctx) => readMailbox(text, ctx))
  .meta(MAILBOX);

function readRecipient(value: unknown, ctx: z.RefinementCtx, path: PropertyKey[]): Mailbox {
  if (typeof value === 'string' && isSeveral(value))
    return fault(ctx, 'invalid_string', 'Give several addresses as an array: ["a@example.com", …]', path);
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
const recipients = z.unknown().transform(readRecipients).meta({
  description: 'An address, {email, name}, or an array of them; each recipient gets a separate message, unless there is `cc` or `bcc`',
  anyOf: RECIPIENTS,
});

/** Accepts recipients of copies, in the same forms. */
const copies = (description: string) =>
  recipients.transform(({ list }) => list).meta({ description, 'x-extension': true, anyOf: RECIPIENTS });

const cc = copies('An extension of this implementation: recipients of a visible copy');
const bcc = copies('An extension of this implementation: recipients of a hidden copy');

const isGiven = (value: unknown, key: string): boolean => (value as Record<string, unknown>)[key] !== undefined;
// A null is reported as a wrong type already.
const excludes = (value: unknown, key: string): boolean => (value as Record<string, unknown>)[key] !== null && isGiven(value, key);

// Rules between fields are checked even when fields are wrong, so that all faults are reported at once.
const between = (when: (body: object) => boolean, path: string, code: 'invalid_combination' | 'invalid_type', message: string) =>
  z.refine<object>((body) => !when(body), {
    path: [path],
    params: { code },
    error: message,
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  });

const hasName = (from: unknown): boolean => typeof from === 'object' && from !== null && (from as Mailbox).name !== null;

const hasContent = (body: object): boolean => isGiven(body, 'html') || isGiven(body, 'text');

// Without a template, a message that does not say its type is transactional.
const isTransactional = (body: { readonly type?: unknown }): boolean =>
  body.type === 'transactional' || (body.type === undefined && !isGiven(body, 'templateId'));

const NOT_A_LIST = 'Must be an object, not a list: POST /v1/send/batch takes {"messages": […]}';

const MAX_TAGS = 10;

const tag = z.strictObject({
  name: z.string().regex(TAG_NAME, 'Letters, digits, _ and -, at most 64').meta({ description: 'The name of the tag' }),
  value: z.string().regex(TAG_VALUE, 'Letters, digits and _ - . : /, at most 256').meta({ description: 'The value of the record' }),
});

/** Tags of a message, each name once; as they are stored. */
const tags = added(
  boundedArray(tag, 1, MAX_TAGS)
    .superRefine(...once('name', 'Each name can appear only once'))
    .transform((list) => list.map(tagText)),
  'up to 10 names with values, to find and count messages by',
);

const fields = z
  .strictObject(
    {
      to: recipients,
      cc: cc.optional(),
      bcc: bcc.optional(),
      subject: subject.optional().meta({ description: 'Placeholders allowed; required unless a template supplies one' }),
      html: bodyText.optional(),
      text: bodyText.optional(),
      templateId: id.optional().meta({ description: 'A stored template instead of html and text' }),
      topicId: added(
        id.optional(),
        'the topic of a `marketing` message. Recipients who are not in it are skipped as `unsubscribed`. Default: that of the template',
      ),
      variables: variables.optional(),
      locale: added(
        locale.optional(),
        'the language of the recipients (BCP 47), which chooses the variant of the template. Default: the `locale` of each contact',
      ),
      from: mailbox.optional().meta({
        description: `${MAILBOX.description}. Default: the template's, else hello@ the first verified domain`,
        'x-extension': true,
      }),
      fromName: personName.optional(),
      replyTo: mailbox.optional(),
      headers: customHeaders.optional(),
      attachments: attachments.optional(),
      sendAt: instantAhead(1_000).optional().meta({ description: '1 second to 365 days ahead' }),
      createContact: z.boolean().default(true),
      type: z.enum(['transactional', 'marketing']).optional(),
      tags: tags.optional(),
      sendOnce: added(sendOnce.optional(), 'each recipient gets a message of the key once'),
      throttle: added(throttle.optional(), 'each recipient gets at most one message of the key within a time'),
      cap: added(
        z.literal('ignore').optional(),
        '`ignore` exempts the message from frequency caps, which do not count it either. Requires a key with scope `full`',
      ),
      tracking: added(
        trackingWish.optional(),
        'the tracking of this message. Default: that of the template, then that of the project for its type, then opens and clicks',
      ),
      retainContent: z.boolean().default(true).meta({
        description:
          'An extension of this implementation. `false`: subject, bodies, values, headers and attachments are deleted when the message is delivered, failed or cancelled',
        'x-extension': true,
      }),
    },
    { error: ({ input }) => (Array.isArray(input) ? NOT_A_LIST : undefined) },
  )
  .check(
    between((body) => !hasContent(body) && !isGiven(body, 'templateId'), 'html', 'invalid_combination', 'Give html, text or templateId'),
    between((body) => hasContent(body) && excludes(body, 'templateId'), 'templateId', 'invalid_combination', 'Excludes html and text'),
    between(
      (body) => !isGiven(body, 'subject') && !isGiven(body, 'templateId'),
      'subject',
      'invalid_type',
      'Required unless a template supplies one',
    ),
    between((body) => excludes(body, 'topicId') && isTransactional(body), 'topicId', 'invalid_combination', TOPIC_IS_FOR_MARKETING),
    between(
      (body) => hasName((body as { readonly from?: unknown }).from) && excludes(body, 'fromName'),
      'fromName',
      'invalid_combination',
      'Excludes a name in from',
    ),
  );

type Fields = z.output<typeof fields>;

const limitsOf = ({ sendOnce: once, throttle: throttled, cap }: Fields) => ({
  ...(once && { sendOnce: once }),
  ...(throttled && { throttle: throttled }),
  ...(cap && { ignoresCaps: true }),
});

/** Fills in every member, so that the core need not check for missing ones. */
const toMessage = (given: Fields) => ({
  to: given.to.list,
  cc: orNull(given.cc),
  bcc: orNull(given.bcc),
  toMany: given.to.many,
  subject: orNull(given.subject),
  html: orNull(given.html),
  text: orNull(given.text),
  templateId: orNull(given.templateId),
  ...(given.topicId !== undefined && { topicId: given.topicId }),
  variables: given.variables ?? {},
  ...(given.locale !== undefined && { locale: given.locale }),
  from: orNull(given.from?.email),
  fromName: orNull(given.fromName ?? given.from?.name),
  replyTo: orNull(given.replyTo?.email),
  replyToName: orNull(given.replyTo?.name),
  headers: orNull(given.headers),
  attachments: given.attachments ?? [],
  sendAt: orNull(given.sendAt),
  createContact: given.createContact,
  type: orNull(given.type),
  retainContent: given.retainContent,
  tags: orNull(given.tags),
  tracking: orNull(given.tracking),
  ...limitsOf(given),
});

export const SendMessage = fields.transform(toMessage).meta({
  id: 'Message',
  ...holds({
    oneOf: [
      withMembers(absent('html', 'text'), ['templateId']),
      { ...withMembers(absent('templateId'), ['subject']), anyOf: [given('html'), given('text')] },
    ],
  }),
});

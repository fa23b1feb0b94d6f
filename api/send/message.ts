import { z } from 'zod';
import { orNull } from '../../src/or-null';
import {
  LINE_BREAKING,
  boundedArray,
  bodyText,
  emailAddress,
  fault,
  id,
  instantAhead,
  personName,
  readAddress,
  subject,
  variables,
} from '../http/pieces';
import { customHeaders } from './headers';

const MAX_RECIPIENTS = 50;
const MAX_ATTACHMENTS = 10;
const MAX_NAME = 200;

interface Recipient {
  readonly email: string;
  readonly name: string | null;
}

function readName(value: unknown, ctx: z.RefinementCtx, path: PropertyKey[]): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') return fault(ctx, 'invalid_type', 'Must be a string', [...path, 'name']);
  if (value.length > MAX_NAME) return fault(ctx, 'too_big', `At most ${MAX_NAME} characters`, [...path, 'name']);
  return LINE_BREAKING.test(value) ? fault(ctx, 'invalid_string', 'Must be one line', [...path, 'name']) : value;
}

function readObject(value: object, ctx: z.RefinementCtx, path: PropertyKey[]): Recipient {
  const { email, name, ...unknown } = value as Record<string, unknown>;
  for (const key of Object.keys(unknown)) fault(ctx, 'unrecognized_keys', 'Unknown key', [...path, key]);
  const emailPath = [...path, 'email'];
  const address =
    typeof email === 'string' ? readAddress(email, ctx, emailPath) : fault(ctx, 'invalid_type', 'Must be an address', emailPath);
  return { email: address, name: readName(name, ctx, path) };
}

function readRecipient(value: unknown, ctx: z.RefinementCtx, path: PropertyKey[]): Recipient {
  if (typeof value === 'string') return { email: readAddress(value, ctx, path), name: null };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return readObject(value, ctx, path);
  return fault(ctx, 'invalid_type', 'Must be an address, {email, name}, or an array of them', path);
}

function readRecipients(value: unknown, ctx: z.RefinementCtx): { readonly many: boolean; readonly list: readonly Recipient[] } {
  if (!Array.isArray(value)) return { many: false, list: [readRecipient(value, ctx, [])] };
  if (value.length === 0) return fault(ctx, 'too_small', 'At least one recipient');
  if (value.length > MAX_RECIPIENTS) return fault(ctx, 'too_big', `At most ${MAX_RECIPIENTS} recipients`);
  return { many: true, list: value.map((entry, index) => readRecipient(entry, ctx, [index])) };
}

const ONE_RECIPIENT = [
  { type: 'string', format: 'email' },
  {
    type: 'object',
    properties: { email: { type: 'string', format: 'email' }, name: { type: 'string', maxLength: MAX_NAME } },
    required: ['email'],
    additionalProperties: false,
  },
];

/** Read by hand: a union would name its branches, not the entry that is wrong, and costs several times as much. */
const recipients = z
  .unknown()
  .transform(readRecipients)
  .meta({
    description: 'An address, {email, name}, or an array of them; each recipient gets a message of their own',
    anyOf: [...ONE_RECIPIENT, { type: 'array', minItems: 1, maxItems: MAX_RECIPIENTS, items: { anyOf: ONE_RECIPIENT } }],
  });

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const base64 = z
  .string()
  .transform((text, ctx) =>
    text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : fault(ctx, 'invalid_string', 'Not base64'),
  )
  .meta({ contentEncoding: 'base64' });

const attachment = z.strictObject({
  filename: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^/\\\r\n\0]*$/, 'A file name is one line without slashes'),
  content: base64,
  contentType: z
    .string()
    .regex(/^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}$/, 'Must be type/subtype')
    .default('application/octet-stream'),
});

const given = (value: unknown, key: string): boolean => (value as Record<string, unknown>)[key] !== undefined;
/** A null is told as a wrong type already. */
const excludes = (value: unknown, key: string): boolean => (value as Record<string, unknown>)[key] !== null && given(value, key);

/** Rules between fields are judged whatever the fields hold, so that all faults are told at once. */
const between = (when: (body: object) => boolean, path: string, code: 'invalid_combination' | 'invalid_type', message: string) =>
  z.refine<object>((body) => !when(body), {
    path: [path],
    params: { code },
    error: message,
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  });

const hasContent = (body: object): boolean => given(body, 'html') || given(body, 'text');

const fields = z
  .strictObject({
    to: recipients,
    subject: subject.optional().meta({ description: 'Placeholders allowed; required unless a template supplies one' }),
    html: bodyText.optional(),
    text: bodyText.optional(),
    templateId: id.optional().meta({ description: 'A stored template instead of html and text' }),
    variables: variables.optional(),
    from: emailAddress.optional().meta({ description: "Default: the template's, else hello@ the first verified domain" }),
    fromName: personName.optional(),
    replyTo: emailAddress.optional(),
    headers: customHeaders.optional(),
    attachments: boundedArray(attachment, 0, MAX_ATTACHMENTS).optional(),
    sendAt: instantAhead(1_000).optional().meta({ description: '1 second to 365 days ahead' }),
    createContact: z.boolean().default(true),
    type: z.enum(['transactional', 'marketing']).optional(),
    retainContent: z.boolean().default(true).meta({
      description:
        'An extension of this implementation. `false`: subject, bodies, values, headers and attachments are not kept once the message is delivered, or has failed or was cancelled',
      'x-extension': true,
    }),
  })
  .check(
    between((body) => !hasContent(body) && !given(body, 'templateId'), 'html', 'invalid_combination', 'Give html, text or templateId'),
    between((body) => hasContent(body) && excludes(body, 'templateId'), 'templateId', 'invalid_combination', 'Excludes html and text'),
    between(
      (body) => !given(body, 'subject') && !given(body, 'templateId'),
      'subject',
      'invalid_type',
      'Required unless a template supplies one',
    ),
  );

type Fields = z.output<typeof fields>;

/** Every member there, so that the core need not ask twice. */
const toMessage = (given: Fields) => ({
  to: given.to.list,
  toMany: given.to.many,
  subject: orNull(given.subject),
  html: orNull(given.html),
  text: orNull(given.text),
  templateId: orNull(given.templateId),
  variables: given.variables ?? {},
  from: orNull(given.from),
  fromName: orNull(given.fromName),
  replyTo: orNull(given.replyTo),
  headers: orNull(given.headers),
  attachments: given.attachments ?? [],
  sendAt: orNull(given.sendAt),
  createContact: given.createContact,
  type: orNull(given.type),
  retainContent: given.retainContent,
});

export const SendMessage = fields.transform(toMessage).meta({ id: 'Message' });

import { z } from 'zod';
import { FIELD_TYPES, REFUSALS, RESERVED_KEYS } from '../../src/marketing/forms';
import { CONFIRM_BY } from '../../src/sending/opt-in';
import {
  because,
  boundedArray,
  count,
  newFieldName,
  httpUrl,
  id,
  name,
  oneLine,
  optionalText,
  optionalTimestamp,
  timestamp,
} from '../http/pieces';

const FIELDS = 'Questions in addition to the address';
const TOPICS = 'Topics that everyone who signs up joins';
const DOUBLE = 'Whether the person confirms by mail first; one who opted out always does';
const CONFIRMATION = 'The confirmation: the text of the platform, or a template with `{{confirmUrl}}`';
const CONFIRM = '`button`: the link opens a page with a button; `link`: opening the link confirms, except for scanners and prefetch';
const REDIRECT = 'The URL to which the browser goes after the form is sent; null for a page of the platform';
const CONSENT = 'The text that the person agrees to. It is shown above the button and stored verbatim in the ledger of consent';
const PRIVACY = 'A link to your privacy policy';
const PROOF = 'Whether the browser of the person solves a small puzzle before the form is sent: it makes robots slow, and needs JavaScript';
const STATE = '`held`: the form accepts no sign-ups';

const Field = z.strictObject({
  key: newFieldName
    .refine((key) => !RESERVED_KEYS.has(key), because('reserved_name', 'The form uses this name itself'))
    .meta({ description: '`firstName`, `lastName`, or the name of a custom field' }),
  label: oneLine(200, 1).meta({ description: 'The text of the question' }),
  required: z.boolean().default(false).meta({ description: 'Whether it must be answered' }),
  type: z.enum(FIELD_TYPES).default('text').meta({ description: 'The type of its value' }),
});

const fields = boundedArray(Field, 0, 30).refine(
  (list) => new Set(list.map(({ key }) => key)).size === list.length,
  because('invalid_combination', 'Each key may occur once'),
);

const confirmation = z.union([z.literal('default'), z.strictObject({ templateId: id })]);
const topics = boundedArray(id, 0, 100);
const consentText = z.string().trim().min(1).max(5_000);

export const CreateForm = z.strictObject({
  name,
  fields: fields.default([]).meta({ description: FIELDS }),
  topics: topics.default([]).meta({ description: TOPICS }),
  doubleOptIn: z.boolean().default(true).meta({ description: DOUBLE }),
  confirmation: confirmation.default('default').meta({ description: CONFIRMATION }),
  confirm: z.enum(CONFIRM_BY).default('button').meta({ description: CONFIRM }),
  redirectUrl: httpUrl.nullable().default(null).meta({ description: REDIRECT }),
  consentText: consentText.meta({ description: CONSENT }),
  privacyUrl: httpUrl.nullable().default(null).meta({ description: PRIVACY }),
  proofOfWork: z.boolean().default(false).meta({ description: PROOF }),
});

export const UpdateForm = z.strictObject({
  name: name.optional(),
  fields: fields.optional().meta({ description: FIELDS }),
  topics: topics.optional().meta({ description: TOPICS }),
  doubleOptIn: z.boolean().optional().meta({ description: DOUBLE }),
  confirmation: confirmation.optional().meta({ description: CONFIRMATION }),
  confirm: z.enum(CONFIRM_BY).optional().meta({ description: CONFIRM }),
  redirectUrl: httpUrl.nullable().optional().meta({ description: REDIRECT }),
  consentText: consentText.optional().meta({ description: CONSENT }),
  privacyUrl: httpUrl.nullable().optional().meta({ description: PRIVACY }),
  proofOfWork: z.boolean().optional().meta({ description: PROOF }),
  state: z
    .enum(['open', 'held'])
    .optional()
    .meta({ description: `${STATE}; \`open\` also ends a hold after a burst` }),
});

const ShownField = z
  .object({
    key: z.string().meta({ description: 'The name of the field' }),
    label: z.string().meta({ description: 'The text of the question' }),
    required: z.boolean().meta({ description: 'Whether it must be answered' }),
    type: z.enum(FIELD_TYPES).meta({ description: 'The type of its value' }),
  })
  .meta({ id: 'FormField', description: 'A question of a form' });

export const Form = z
  .object({
    formId: z.string().meta({ description: 'The form' }),
    name: z.string().meta({ description: 'The name, which is the title of its page' }),
    fields: z.array(ShownField).meta({ description: FIELDS }),
    topics: z.array(z.string()).meta({ description: TOPICS }),
    doubleOptIn: z.boolean().meta({ description: DOUBLE }),
    confirmation: z.union([z.literal('default'), z.object({ templateId: z.string() })]).meta({ description: CONFIRMATION }),
    confirm: z.enum(CONFIRM_BY).meta({ description: CONFIRM }),
    redirectUrl: optionalText.meta({ description: REDIRECT }),
    consentText: z.string().meta({ description: CONSENT }),
    privacyUrl: optionalText.meta({ description: PRIVACY }),
    proofOfWork: z.boolean().meta({ description: PROOF }),
    state: z.enum(['open', 'held']).meta({ description: STATE }),
    heldReason: z
      .enum(['burst', 'manual'])
      .nullable()
      .meta({ description: '`burst`: sign-ups were far above normal; `manual`: you held it; null while it is open' }),
    heldAt: optionalTimestamp.meta({ description: 'Start of the hold' }),
    url: z.string().meta({ description: 'The page of the form' }),
    snippet: z.string().meta({ description: 'HTML of the form for a page of your own; needs no script' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Form', description: 'A sign-up form' });

type Refusal = (typeof REFUSALS)[number];

const CAUSES: Readonly<Record<Refusal, string>> = {
  honeypot: 'The hidden input was filled in',
  tooFast: 'Sent faster than a person can',
  proofOfWork: 'Without the proof of work',
  rateLimited: 'Over a limit',
  suppressed: 'The address gets no mail',
  disposable: 'The address is of a disposable domain',
  invalid: 'An answer was missing or wrong',
  held: 'The form was held',
};

const refused = Object.fromEntries(REFUSALS.map((cause) => [cause, count.meta({ description: CAUSES[cause] })])) as Record<
  Refusal,
  typeof count
>;

export const FormWithFigures = Form.extend({
  figures: z
    .object({
      submitted: count.meta({ description: 'Sign-ups that were accepted' }),
      confirmed: count.meta({ description: 'Sign-ups that were confirmed by mail' }),
      refused: z.object(refused).meta({ description: 'Sign-ups that were refused, by cause' }),
    })
    .meta({ description: 'Counts of the form since it was created' }),
}).meta({ id: 'FormWithFigures', description: 'A sign-up form with its figures' });

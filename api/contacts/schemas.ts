import { z } from 'zod';
import { SUPPRESSION_REASONS } from '../../src/records/suppressions';
import {
  added,
  anyJson,
  boundedArray,
  contactData,
  count,
  emailAddress,
  extended,
  fieldName,
  flag,
  id,
  idOrAddress,
  json,
  locale,
  oneLine,
  optionalText,
  optionalTimestamp,
  personName,
  replay,
  search,
  timestamp,
  timezone,
  together,
  wholeNumber,
} from '../http/pieces';
import { oneOf } from '../http/together';

const MAX_BULK = 1_000;

export const contactFields = {
  contactId: z.string(),
  projectId: z.string(),
  email: z.string().meta({ format: 'email' }),
  firstName: optionalText,
  lastName: optionalText,
  subscribed: z.boolean(),
  data: json.nullable(),
  locale: optionalText,
  timezone: added(optionalText, 'the time zone of the person (IANA), e.g. `Europe/Vienna`; null if unknown'),
  createdAt: timestamp,
  updatedAt: timestamp,
  snoozedUntil: extended(timestamp.optional(), 'When the pause of marketing mail ends; present while the contact pauses it'),
};

export const Contact = z.object(contactFields).meta({ id: 'Contact' });

export const ContactQuery = z.object({ search: search.optional(), subscribed: flag.optional(), segmentId: id.optional() });
export const ContactListQuery = ContactQuery.extend({
  order: added(z.enum(['newest', 'oldest']).optional(), 'which contacts come first; default `newest`'),
});
export const ContactParams = z.object({ id: idOrAddress });

const Evidence = z.strictObject({
  text: z.string().min(1).max(5_000).optional().meta({ description: 'The text that the person agreed to, word by word' }),
  ip: oneLine(45, 1).optional().meta({ description: 'The IP address of the person, stored as the setting `consent.ip` says' }),
  userAgent: z.string().max(1_000).optional().meta({ description: 'The browser of the person' }),
});

const ONLY_WITH_OPT_IN = 'Only with `optIn`';

/** Members of a request that asks a person to confirm first. */
export const optInFields = {
  optIn: added(z.enum(['double']).optional(), 'asks the person by mail. Nothing changes until they confirm'),
  topics: extended(
    boundedArray(id, 0, 100).optional(),
    'An extension of this implementation, with `optIn`: topics that the person joins by confirming, all or none',
  ),
  consent: extended(Evidence.optional(), 'An extension of this implementation, with `optIn`: evidence for the ledger of consent'),
};

interface AskedFor {
  readonly optIn?: 'double' | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly consent?: object | undefined;
}

/** Refuses the members that only mean something with `optIn`. */
export const onlyWithOptIn = <Fields extends z.ZodType<AskedFor>>(fields: Fields): Fields =>
  fields
    .refine(({ optIn, topics }) => optIn !== undefined || topics === undefined, together(ONLY_WITH_OPT_IN, 'topics'))
    .refine(({ optIn, consent }) => optIn !== undefined || consent === undefined, together(ONLY_WITH_OPT_IN, 'consent'));

const UpsertFields = z.strictObject({
  email: emailAddress,
  firstName: personName.nullable().optional(),
  lastName: personName.nullable().optional(),
  subscribed: z.boolean().optional(),
  data: contactData.nullable().optional().meta({ description: 'Merged key by key; a null value removes the key, null clears all' }),
  locale: locale.nullable().optional(),
  timezone: added(timezone.nullable().optional(), 'the time zone of the person (IANA)'),
  ...optInFields,
});

export const UpsertContact = onlyWithOptIn(UpsertFields).refine(
  ({ optIn, subscribed }) => optIn === undefined || subscribed !== false,
  together('`optIn` asks a person to subscribe', 'subscribed'),
);

/** The state of a double opt-in, as the request that asked for it is answered. */
export const OptInState = z.object({
  status: z.enum(['pending', 'confirmed', 'suppressed']).meta({
    description: '`pending`: the person was asked; `confirmed`: no confirmation is needed; `suppressed`: the address gets no mail',
  }),
  topics: z.array(z.string()).meta({ description: 'The topics that wait for the confirmation' }),
  requestedAt: optionalTimestamp.meta({ description: 'The time of the first request' }),
  expiresAt: optionalTimestamp.meta({ description: 'When the confirmation link expires' }),
});

export const UpsertedContact = Contact.extend({
  optIn: added(OptInState.optional(), 'only where `optIn` was given. While it is pending, the contact is shown as it will be, or as it is'),
}).meta({ id: 'UpsertedContact', description: 'A contact; with `optIn`, also the state of its double opt-in' });

export const BulkContacts = z
  .strictObject({
    action: z.enum(['subscribe', 'unsubscribe', 'delete', 'suppress']),
    contactIds: boundedArray(id, 1, MAX_BULK).optional(),
    emails: boundedArray(emailAddress, 1, MAX_BULK).optional(),
    reason: extended(
      z.enum(SUPPRESSION_REASONS).optional(),
      'An extension of this implementation, with `suppress`: why the addresses are suppressed. Default: `manual`',
    ),
  })
  .refine(({ action, reason }) => action === 'suppress' || reason === undefined, together('Only with the action `suppress`', 'reason'))
  .refine(
    ({ contactIds, emails }) => (contactIds === undefined) !== (emails === undefined),
    together('Give exactly one of contactIds and emails', 'contactIds'),
  )
  .meta(oneOf('contactIds', 'emails'));

export const BulkResult = z.object({ matched: count, changed: count, missing: z.array(z.string()).readonly() }).meta({ id: 'BulkResult' });

export const ImportQuery = z.object({
  segmentId: id.optional().meta({ description: 'A static segment that the imported contacts are added to' }),
  columns: added(
    z
      .string()
      .min(1)
      .max(8_000)
      .transform((text) => text.split(','))
      .optional(),
    'the target of each column, in order, instead of the headers, separated by commas; `-` skips a column',
  ),
  trigger: flag.default(false).meta({ description: 'Whether contact events of the import can enroll contacts in workflows' }),
});

export const ImportJob = z
  .object({
    importId: z.string(),
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
    totalRows: count.nullable(),
    processed: count,
    created: count,
    updated: count,
    skipped: count,
    failed: count,
    columns: z
      .array(z.object({ header: z.string().meta({ description: 'The header in the file' }), field: optionalText }))
      .readonly()
      .meta({ description: 'The field that each column was imported to; null for a skipped column' }),
    errors: z
      .array(z.object({ row: count, email: optionalText, message: z.string() }))
      .readonly()
      .meta({ description: 'The first 100; the first data row is 1' }),
    error: optionalText,
    createdAt: timestamp,
    startedAt: optionalTimestamp,
    finishedAt: optionalTimestamp,
  })
  .meta({ id: 'ImportJob', description: '`processed` = created + updated + skipped + failed' });

export const ImportSummary = ImportJob.omit({ errors: true, columns: true }).meta({
  id: 'ImportSummary',
  description: 'An import in a list: without its columns and rejected rows',
});

export const StartedImport = ImportJob.extend({ replay }).meta({ id: 'StartedImport' });

export const FieldParams = z.object({ field: fieldName });

export const ContactField = z
  .object({ field: z.string(), type: z.enum(['string', 'number', 'boolean', 'date', 'array', 'object', 'mixed']), count })
  .meta({ id: 'ContactField' });

export const FieldValuesQuery = z.object({ limit: wholeNumber(1, 100).default(50), search: search.optional() });

export const FieldValues = z
  .object({ field: z.string(), data: z.array(z.object({ value: anyJson, count })).readonly() })
  .meta({ id: 'FieldValues', description: 'Most frequent first' });

export const segmentNames = z.array(z.object({ segmentId: z.string(), name: z.string() })).readonly();
export const workflowNames = z.array(z.object({ workflowId: z.string(), name: z.string() })).readonly();

export const FieldUsage = z
  .object({
    field: z.string(),
    contacts: count,
    segments: segmentNames,
    campaigns: z.array(z.object({ campaignId: z.string(), name: z.string() })).readonly(),
    workflows: workflowNames,
    templates: z.array(z.object({ templateId: z.string(), name: z.string() })).readonly(),
  })
  .meta({ id: 'FieldUsage' });

export const RemovedField = z.object({ field: z.string(), removed: count }).meta({ id: 'RemovedField' });

const held = z.array(z.record(z.string(), z.unknown()));

export const HeldData = z
  .object({
    exportedAt: timestamp,
    contact: z.record(z.string(), z.unknown()),
    topics: held,
    suppression: z.record(z.string(), z.unknown()).nullable(),
    segments: held,
    campaigns: held,
    importErrors: held,
    emails: held,
    inbound: held,
    consent: held,
    events: held,
    notes: held,
    executions: held,
    webhookDeliveries: held,
    truncated: z.array(z.string()).meta({ description: 'Lists that have more than the rows shown' }),
  })
  .meta({ id: 'HeldData' });

export const Erasure = z
  .object({
    erasureId: z.string(),
    contactId: z.string(),
    status: z.enum(['running', 'waiting', 'completed']).meta({ description: '`waiting`: for mail and events in progress' }),
    deletedAt: timestamp,
    finishedAt: timestamp.nullable(),
    contacts: count.meta({ description: 'Contacts that were deleted together in this erasure' }),
    erased: z.record(z.string(), count).meta({ description: 'Rows that were changed or deleted, by step; step names may change' }),
    open: count.meta({ description: 'Messages and events in progress at the last check' }),
  })
  .meta({ id: 'Erasure' });

export const TimelineEntry = z
  .object({
    entryId: z.string(),
    kind: z.enum(['event', 'email', 'execution', 'segment']),
    name: z.string(),
    data: json.nullable(),
    emailId: optionalText,
    workflowId: optionalText,
    createdAt: timestamp,
  })
  .meta({ id: 'TimelineEntry' });

import { z } from 'zod';
import { BOUNCE_TYPES, EMAIL_SOURCES, EMAIL_STATUSES, EMAIL_TYPES } from '../../src/records/emails';
import {
  ShownTracking,
  added,
  caseKeepingAddress,
  count,
  id,
  instant,
  instantAhead,
  json,
  optionalText,
  optionalTimestamp,
  search,
  tag,
  timestamp,
} from '../http/pieces';

const source = z.enum(EMAIL_SOURCES);

const summary = {
  emailId: z.string(),
  projectId: z.string(),
  contactId: optionalText,
  to: z.string(),
  subject: z.string(),
  fromEmail: z.string(),
  fromName: optionalText,
  replyTo: optionalText,
  replyToName: added(z.string().optional(), 'the name of `replyTo`, if one was given'),
  source,
  type: z.enum(EMAIL_TYPES),
  status: z.enum(EMAIL_STATUSES),
  templateId: optionalText,
  campaignId: optionalText,
  workflowId: optionalText,
  testMode: z.boolean(),
  headers: json.nullable(),
  topicId: added(z.string().optional(), 'present if the message has a topic'),
  tracking: added(ShownTracking.optional(), 'present if opens or clicks are not tracked'),
  recipientType: added(
    z.enum(['to', 'cc', 'bcc']).optional(),
    'whether its recipient is in `to`, `cc` or `bcc`; only for a message with `cc` or `bcc`',
  ),
  tags: added(
    z
      .array(z.object({ name: z.string(), value: z.string() }))
      .readonly()
      .optional(),
    'its tags, if any',
  ),
  transport: added(z.string().optional(), 'the transport of its last attempt, if the operator has several'),
  contentVersion: added(count.optional(), "which version of its campaign's content it has; only for mail of campaigns"),
  attachments: z
    .array(
      z.object({
        filename: z.string(),
        contentType: z.string(),
        size: count,
        contentId: added(z.string().optional(), 'the content id by which the HTML shows the image'),
      }),
    )
    .readonly(),
  opens: count,
  clicks: count,
  attempts: count,
  bounceType: z.enum(BOUNCE_TYPES).nullable(),
  error: optionalText,
  messageId: z.string().nullable(),
  providerMessageId: optionalText,
  latencyMs: z.number().nullable(),
  createdAt: timestamp,
  scheduledFor: optionalTimestamp,
  sentAt: optionalTimestamp,
  deliveredAt: optionalTimestamp,
  openedAt: optionalTimestamp,
  clickedAt: optionalTimestamp,
};

export const EmailSummary = z.object(summary).meta({ id: 'EmailSummary' });

export const Email = z
  .object({
    ...summary,
    body: z.string().meta({ description: 'The rendered HTML' }),
    text: z.string(),
    contentKept: z.literal(false).optional().meta({
      description: 'An extension of this implementation: `false` if the content was deleted; `body` and `text` are then empty',
      'x-extension': true,
    }),
    contentHidden: z.literal(true).optional().meta({
      description:
        'An extension of this implementation: `true` if the key has the scope `sending`, which cannot read content; `body` and `text` are then empty',
      'x-extension': true,
    }),
  })
  .meta({ id: 'Email' });

export const EmailQuery = z.object({
  status: z
    .enum([...EMAIL_STATUSES, 'scheduled'])
    .optional()
    .meta({ description: '`scheduled`: queued for a future time, soonest first' }),
  source: source.optional(),
  campaignId: id.optional(),
  workflowId: id.optional(),
  contactId: id.optional(),
  to: caseKeepingAddress.optional(),
  from: instant.optional().meta({ description: 'Created at or after this instant' }),
  subject: added(search.optional(), 'a substring of the subject as the message shows it, case-insensitive; not a pattern'),
  tag,
  until: instant.optional().meta({ description: 'Created before this instant' }),
});

export const CancelledEmail = z.object({ emailId: z.string(), status: z.literal('cancelled') }).meta({ id: 'CancelledEmail' });

export const RescheduleEmail = z.strictObject({
  sendAt: instantAhead(1_000).optional().meta({ description: 'When it is sent: 1 second to 365 days ahead' }),
});

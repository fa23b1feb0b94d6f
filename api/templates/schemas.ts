import { z } from 'zod';
import {
  ShownTracking,
  extended,
  idOrAddress,
  trackingWish,
  bodyText,
  count,
  emailAddress,
  name,
  optionalText,
  personName,
  receivedText,
  search,
  subject,
  timestamp,
  unresolvedPlaceholders,
  variables,
} from '../http/pieces';

const type = z.enum(['transactional', 'marketing']);

const content = {
  name,
  subject,
  body: bodyText.meta({ description: 'HTML with placeholders' }),
  fromEmail: emailAddress,
  fromName: personName.nullable().optional(),
  tracking: extended(
    trackingWish.nullable().optional(),
    'An extension of this implementation: what is followed of its messages, unless a send says otherwise; null leaves it to the project',
  ),
};

export const CreateTemplate = z.strictObject({ ...content, type: type.default('transactional') });
export const UpdateTemplate = z.strictObject({ ...content, type }).partial();
export const RollbackTemplate = z.strictObject({ version: z.int().min(1) });
export const TestSendTemplate = z.strictObject({ to: emailAddress, variables: variables.optional() });
export const PreviewTemplate = z.strictObject({
  subject: z.string().max(998),
  body: receivedText.meta({ description: 'HTML with placeholders' }),
  type: type.default('transactional'),
  contact: idOrAddress.optional().meta({ description: 'The id or the address of the contact for whom it is rendered' }),
  variables: variables.optional(),
});
export const TemplateQuery = z.object({ type: type.optional(), search: search.optional() });

const stored = {
  templateId: z.string(),
  subject: z.string(),
  body: z.string(),
  fromName: optionalText,
  fromEmail: z.string().meta({ format: 'email' }),
  version: count,
  createdAt: timestamp,
};

export const Template = z
  .object({
    ...stored,
    projectId: z.string(),
    name: z.string(),
    type,
    updatedAt: timestamp,
    tracking: extended(ShownTracking.optional(), 'An extension of this implementation: there where it says something of it'),
  })
  .meta({ id: 'Template', description: '`version` is bumped on every change of content; old versions are kept for rollback' });

export const TemplateVersion = z
  .object(stored)
  .meta({ id: 'TemplateVersion', description: 'The full content as it stood, not a difference' });

export const TestSent = z
  .object({
    id: z.string(),
    to: z.string().meta({ format: 'email' }),
    status: z.enum(['sent', 'queued', 'scheduled']),
    unresolvedPlaceholders,
  })
  .meta({ id: 'TestSent' });

export const TemplatePreview = z
  .object({
    subject: z.string().meta({ description: 'The subject, with the values in their places' }),
    html: z.string().meta({ description: 'The HTML, with the values in their places' }),
    text: z.string().meta({ description: 'The plain text that would go with it' }),
    placeholders: z
      .array(
        z.object({
          name: z.string().meta({ description: 'A name that the template reads; custom fields as `data.<field>`' }),
          found: z.boolean().meta({ description: 'Whether there is a value for it' }),
        }),
      )
      .readonly()
      .meta({ description: 'What the template reads, but for what the platform provides' }),
  })
  .meta({ id: 'TemplatePreview', description: 'A template as a contact would read it' });

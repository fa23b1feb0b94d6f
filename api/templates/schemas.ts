import { z } from 'zod';
import {
  ShownTracking,
  extended,
  trackingWish,
  bodyText,
  count,
  emailAddress,
  name,
  optionalText,
  personName,
  search,
  subject,
  timestamp,
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
  .object({ id: z.string(), to: z.string().meta({ format: 'email' }), status: z.enum(['sent', 'queued', 'scheduled']) })
  .meta({ id: 'TestSent' });

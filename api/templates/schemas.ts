import { z } from 'zod';
import { WARNING_CODES } from '../../src/rules/blocks';
import {
  ShownTracking,
  added,
  extended,
  id,
  idOrAddress,
  locale,
  trackingWish,
  bodyText,
  count,
  emailAddress,
  name,
  optionalText,
  personName,
  previewText,
  receivedText,
  search,
  subject,
  timestamp,
  variables,
} from '../http/pieces';
import { archivedQuery, shownArchivedAt } from '../http/archive';
import { design } from '../http/design';
import { ShownVariants, testLanguage, variantChanges, variants } from '../http/variants';

const type = z.enum(['transactional', 'marketing']);

const content = {
  name,
  subject,
  body: bodyText.meta({ description: 'HTML with placeholders' }),
  fromEmail: emailAddress,
  fromName: personName.nullable().optional(),
  bodyBlocks: added(design.nullable().optional(), "the visual editor's design: stored as given, never sent. Null for none"),
  tracking: added(
    trackingWish.nullable().optional(),
    'the tracking of its messages, unless a send overrides it; null uses the default of the project',
  ),
  topicId: added(
    id.nullable().optional(),
    'the topic of its messages, unless a send names another. Only of a `marketing` template; null for none',
  ),
  variants,
};

export const CreateTemplate = z.strictObject({ ...content, type: type.default('transactional') });
export const UpdateTemplate = z.strictObject({ ...content, type, variants: variantChanges }).partial();
export const RollbackTemplate = z.strictObject({ version: z.int().min(1) });
export const TestSendTemplate = z.strictObject({ to: emailAddress, variables: variables.optional(), language: testLanguage });
export const TestSendContent = z.strictObject({
  to: emailAddress,
  language: testLanguage,
  variables: variables.optional(),
  subject,
  body: content.body,
  previewText: previewText.nullable().optional(),
  fromEmail: emailAddress,
  fromName: content.fromName,
  replyTo: emailAddress.nullable().optional(),
  variants,
  type: type.default('transactional'),
});
export const PreviewTemplate = z.strictObject({
  subject: z.string().max(998),
  body: receivedText.meta({ description: 'HTML with placeholders' }),
  type: type.default('transactional'),
  contact: idOrAddress.optional().meta({ description: 'The id or the address of the contact to render it for' }),
  variables: variables.optional(),
  language: locale
    .optional()
    .meta({ description: 'The language that the content is a variant for: it decides on direction, dates and numbers' }),
});
export const RenderBlocks = z.strictObject({
  bodyBlocks: design.meta({ description: 'A design of the block editor, or its JSON as text' }),
  type: type.default('transactional').meta({ description: 'Marketing mail is checked for an unsubscribe link' }),
});
export const TemplateQuery = z.object({ type: type.optional(), search: search.optional(), archived: archivedQuery });

const stored = {
  templateId: z.string(),
  subject: z.string(),
  body: z.string(),
  fromName: optionalText,
  fromEmail: z.string().meta({ format: 'email' }),
  bodyBlocks: added(design.optional(), 'present if it has a design'),
  variants: ShownVariants,
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
    archivedAt: shownArchivedAt,
    tracking: added(ShownTracking.optional(), 'present if the template sets it'),
    topicId: added(z.string().optional(), 'present if the template has a topic'),
  })
  .meta({ id: 'Template', description: '`version` is bumped on every change of content; old versions are kept for rollback' });

export const TemplateVersion = z.object(stored).meta({ id: 'TemplateVersion', description: 'The full content of the version, not a diff' });

/** In answers to tests, in which their author sees what a template lacks. */
export const unresolvedPlaceholders = extended(
  z.array(z.string()).readonly().optional(),
  'With a test key, and in test sends: the placeholders that had neither a value nor a fallback; absent if there are none',
);

const trialStatus = z.enum(['sent', 'queued', 'scheduled']);

export const TestSent = z
  .object({
    id: z.string(),
    to: z.string().meta({ format: 'email' }),
    status: trialStatus,
    unresolvedPlaceholders,
    languages: added(
      z
        .array(
          z.object({
            language: optionalText.meta({ description: 'Null for the default' }),
            id: z.string(),
            status: trialStatus,
            unresolvedPlaceholders,
          }),
        )
        .readonly()
        .optional(),
      'present if all languages were sent; the first one is the default',
    ),
  })
  .meta({ id: 'TestSent' });

export const TemplatePreview = z
  .object({
    subject: z.string().meta({ description: 'The rendered subject' }),
    html: z.string().meta({ description: 'The rendered HTML' }),
    text: z.string().meta({ description: 'The plain text part' }),
    placeholders: z
      .array(
        z.object({
          name: z.string().meta({ description: 'A placeholder of the template; custom fields as `data.<field>`' }),
          found: z.boolean().meta({ description: 'Whether it has a value' }),
        }),
      )
      .readonly()
      .meta({ description: 'The placeholders of the template, except those that the platform provides' }),
    warnings: z.array(z.string()).readonly().meta({ description: 'Likely mistakes, such as placeholders of another service' }),
  })
  .meta({ id: 'TemplatePreview', description: 'A template rendered for a contact' });

export const RenderedBlocks = z
  .object({
    body: z.string().meta({ description: 'The HTML, with placeholders: the `body` of a template or campaign' }),
    warnings: z
      .array(
        z.object({
          code: z.enum(WARNING_CODES),
          message: z.string().meta({ description: 'What to change' }),
          block: z.string().nullable().meta({ description: 'The id of the block; null for the whole message' }),
        }),
      )
      .readonly()
      .meta({ description: 'Problems that readers may have with it' }),
  })
  .meta({ id: 'RenderedBlocks', description: 'A design rendered to HTML' });

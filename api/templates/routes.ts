import type { ErrorDetail } from '../../src/platform/core';
import { storedJson, RawJson } from '../../src/platform/core';
import { mapped } from '../../src/platform/mongo';
import { previewTemplate, testSendContent, testSendTemplate } from '../../src/sending/previews';
import * as templates from '../../src/sending/templates';
import { syntaxFaults, variantFaults } from '../../src/sending/templates';
import { updated } from '../http/audit';
import { deleted } from '../http/answers';
import { archiveOperations } from '../http/archive';
import { endpoint, extensions, group, listEndpoint } from '../http/endpoint';
import { foreignSyntax } from '../http/warnings';
import { Deleted, IdParams, textsOf } from '../http/pieces';
import { shownVariants, variantTexts } from '../http/variants';
import {
  CreateTemplate,
  PreviewTemplate,
  RenderBlocks,
  RenderedBlocks,
  RollbackTemplate,
  Template,
  TemplatePreview,
  TemplateQuery,
  TemplateVersion,
  TestSendContent,
  TestSendTemplate,
  TestSent,
  UpdateTemplate,
} from './schemas';
import type { z } from 'zod';
import type { Template as StoredTemplate, TemplateVersion as StoredTemplateVersion } from '../../src/sending/templates';

function furtherFaults(given: unknown): readonly ErrorDetail[] {
  const { subject, body } = textsOf(given, ['subject', 'body']);
  return [...syntaxFaults({ subject: subject ?? '', body: body ?? '' }), ...variantFaults(variantTexts(given))];
}

/** Returns the design as it is stored. */
const stored = <B extends { readonly bodyBlocks?: unknown }>({ bodyBlocks, ...body }: B) => ({
  ...body,
  ...(bodyBlocks !== undefined && { bodyBlocks: storedJson(bodyBlocks) }),
});

export const templateRoutes = group('Templates', [
  listEndpoint('GET /v1/templates', {
    operationId: 'listTemplates',
    summary: 'List templates',
    request: { query: TemplateQuery },
    response: Template,
    list: 'whole',
    handle: ({ ctx, query, page }) => mapped(templates.listTemplates(ctx, query, page), toTemplate),
  }),
  endpoint('POST /v1/templates', {
    operationId: 'createTemplate',
    summary: 'Create a template',
    request: {
      body: CreateTemplate,
      verbatim: 'bodyBlocks',
      furtherFaults,
      warn: (_ctx, { subject, body }) => foreignSyntax(subject, body),
    },
    status: 201,
    response: Template,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['template.create', data.templateId],
    handle: async ({ ctx, body }) => toTemplate(await templates.createTemplate(ctx, { ...stored(body), fromName: body.fromName ?? null })),
  }),
  endpoint('GET /v1/templates/{id}', {
    operationId: 'getTemplate',
    summary: 'Get a template',
    request: { params: IdParams },
    response: Template,
    handle: async ({ ctx, params }) => toTemplate(await templates.getTemplate(ctx, params.id)),
  }),
  endpoint('PATCH /v1/templates/{id}', {
    operationId: 'updateTemplate',
    summary: 'Update a template',
    description:
      'A change to subject, body, variants, fromName or fromEmail bumps `version`; name or type alone, or equal content, does not.',
    request: {
      params: IdParams,
      body: UpdateTemplate,
      verbatim: 'bodyBlocks',
      furtherFaults,
      warn: (_ctx, { subject, body }) => foreignSyntax(subject, body),
    },
    response: Template,
    audit: ({ params, body }) => updated('template', params.id, body),
    handle: async ({ ctx, params, body }) => toTemplate(await templates.patchTemplate(ctx, params.id, stored(body))),
  }),
  endpoint('DELETE /v1/templates/{id}', {
    operationId: 'deleteTemplate',
    summary: 'Delete a template that no active workflow uses',
    request: { params: IdParams },
    response: Deleted,
    errors: ['in_use'],
    audit: ({ params }) => ['template.delete', params.id],
    handle: ({ ctx, params }) => deleted(templates.deleteTemplate(ctx, params.id)),
  }),
  listEndpoint('GET /v1/templates/{id}/versions', {
    operationId: 'listTemplateVersions',
    summary: 'List the versions of a template, newest first',
    request: { params: IdParams },
    response: TemplateVersion,
    list: 'whole',
    handle: async ({ ctx, params, page }) => mapped(await templates.listVersions(ctx, params.id, page), toVersion),
  }),
  endpoint('POST /v1/templates/{id}/duplicate', {
    operationId: 'duplicateTemplate',
    summary: 'Duplicate a template',
    request: { params: IdParams },
    status: 201,
    response: Template,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['template.create', data.templateId],
    handle: async ({ ctx, params }) => toTemplate(await templates.duplicateTemplate(ctx, params.id)),
  }),
  endpoint('POST /v1/templates/{id}/rollback', {
    operationId: 'rollBackTemplate',
    summary: 'Publish the content of a stored version as the newest version',
    request: { params: IdParams, body: RollbackTemplate },
    response: Template,
    audit: ({ params }) => ['template.roll_back', params.id],
    handle: async ({ ctx, params, body }) => toTemplate(await templates.rollBackTemplate(ctx, params.id, body.version)),
  }),
  endpoint('POST /v1/templates/{id}/test-send', {
    operationId: 'testSendTemplate',
    summary: 'Send a template to one address, its subject prefixed with [Test]',
    request: { params: IdParams, body: TestSendTemplate },
    response: TestSent,
    errors: ['send_failed', 'invalid_state'],
    handle: ({ ctx, params, body }) => testSendTemplate(ctx, params.id, { ...body, variables: body.variables ?? {} }),
  }),
]);

export const templateExtensions = extensions('Extensions', [
  ...archiveOperations({
    path: '/v1/templates/{id}',
    name: 'template',
    response: Template,
    set: async (ctx, id, isArchived) => toTemplate(await templates.setTemplateArchived(ctx, id, isArchived)),
  }),
  endpoint('POST /v1/templates/preview', {
    operationId: 'previewTemplate',
    summary: 'Render a template for a contact',
    description:
      'Renders the given content as a message, with the values of the contact overridden by `variables`. Nothing is ' +
      'sent or stored. Without `contact`, no values are used, which shows the fallbacks.',
    request: { body: PreviewTemplate, furtherFaults, warn: (_ctx, { subject, body }) => foreignSyntax(subject, body) },
    response: TemplatePreview,
    errors: ['not_found', 'send_failed'],
    handle: async ({ ctx, body: { contact = null, variables = {}, language = null, ...content } }) => ({
      ...(await previewTemplate(ctx, { ...content, contact, variables, language })),
      warnings: foreignSyntax(content.subject, content.body),
    }),
  }),
  endpoint('POST /v1/templates/test-send', {
    operationId: 'testSendContent',
    summary: 'Send content that is not stored to one address, its subject prefixed with [Test]',
    description: 'Tries out a message as it is written, such as that of an automation.',
    request: { body: TestSendContent, verbatim: 'bodyBlocks', furtherFaults },
    response: TestSent,
    errors: ['send_failed', 'invalid_state'],
    handle: ({ ctx, body: { variables = {}, previewText = null, fromName = null, replyTo = null, variants = null, ...content } }) =>
      testSendContent(ctx, { ...content, variables, previewText, fromName, replyTo, variants }),
  }),
  endpoint('POST /v1/templates/render-blocks', {
    operationId: 'renderBlocks',
    summary: 'Render a design of the block editor to HTML',
    description:
      'Writes the HTML that the console would save for this design, and lists warnings about what readers may have problems with. ' +
      'Nothing is sent or stored: give `body` and `bodyBlocks` to a template or campaign.',
    request: { body: RenderBlocks },
    response: RenderedBlocks,
    handle: ({ body: { bodyBlocks, type } }) => templates.renderBlocks(bodyBlocks, type),
  }),
]);

const designOf = (bodyBlocks: string | null | undefined) => bodyBlocks && { bodyBlocks: new RawJson(bodyBlocks) };

const toTemplate = ({ _id, tracking, topicId, bodyBlocks, variants, ...template }: StoredTemplate): z.input<typeof Template> => ({
  templateId: _id,
  ...template,
  ...(tracking && { tracking }),
  ...(topicId && { topicId }),
  ...designOf(bodyBlocks),
  ...(variants && { variants: shownVariants(variants) }),
});

const toVersion = ({ bodyBlocks, variants, ...version }: StoredTemplateVersion): z.input<typeof TemplateVersion> => ({
  ...version,
  ...(variants && { variants: shownVariants(variants) }),
  ...designOf(bodyBlocks),
});

import type { ErrorDetail } from '../../src/platform/core';
import { mapped } from '../../src/platform/mongo';
import { previewTemplate, testSendTemplate } from '../../src/sending/previews';
import * as templates from '../../src/sending/templates';
import { syntaxFaults } from '../../src/sending/templates';
import { updated } from '../http/audit';
import { endpoint } from '../http/endpoint';
import { foreignSyntax } from '../http/warnings';
import { Deleted, IdParams, textsOf } from '../http/pieces';
import {
  CreateTemplate,
  PreviewTemplate,
  RollbackTemplate,
  Template,
  TemplatePreview,
  TemplateQuery,
  TemplateVersion,
  TestSendTemplate,
  TestSent,
  UpdateTemplate,
} from './schemas';
import { toTemplate, toVersion } from './view';

const tag = 'Templates';

function furtherFaults(given: unknown): readonly ErrorDetail[] {
  const { subject, body } = textsOf(given, ['subject', 'body']);
  return syntaxFaults({ subject: subject ?? '', body: body ?? '' });
}

export const templateRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/templates',
    operationId: 'listTemplates',
    summary: 'List templates',
    tag,
    query: TemplateQuery,
    response: Template,
    list: 'whole',
    handle: ({ ctx, query, page }) => Promise.resolve(mapped(templates.listTemplates(ctx, query, page), toTemplate)),
  }),
  endpoint({
    method: 'post',
    path: '/v1/templates',
    operationId: 'createTemplate',
    summary: 'Create a template',
    tag,
    status: 201,
    body: CreateTemplate,
    furtherFaults,
    warn: (_ctx, { subject, body }) => foreignSyntax(subject, body),
    response: Template,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['template.create', data.templateId],
    handle: async ({ ctx, body }) => toTemplate(await templates.createTemplate(ctx, { ...body, fromName: body.fromName ?? null })),
  }),
  endpoint({
    method: 'get',
    path: '/v1/templates/{id}',
    operationId: 'getTemplate',
    summary: 'Get a template',
    tag,
    params: IdParams,
    response: Template,
    handle: async ({ ctx, params }) => toTemplate(await templates.getTemplate(ctx, params.id)),
  }),
  endpoint({
    method: 'patch',
    path: '/v1/templates/{id}',
    operationId: 'updateTemplate',
    summary: 'Update a template',
    description: 'A change to subject, body, fromName or fromEmail bumps `version`; name or type alone, or equal content, does not.',
    tag,
    params: IdParams,
    body: UpdateTemplate,
    furtherFaults,
    warn: (_ctx, { subject, body }) => foreignSyntax(subject, body),
    response: Template,
    audit: ({ params, body }) => updated('template', params.id, body),
    handle: async ({ ctx, params, body }) => toTemplate(await templates.patchTemplate(ctx, params.id, body)),
  }),
  endpoint({
    method: 'delete',
    path: '/v1/templates/{id}',
    operationId: 'deleteTemplate',
    summary: 'Delete a template that no active workflow uses',
    tag,
    params: IdParams,
    response: Deleted,
    errors: ['in_use'],
    audit: ({ params }) => ['template.delete', params.id],
    handle: async ({ ctx, params }) => {
      await templates.deleteTemplate(ctx, params.id);
      return { success: true as const };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v1/templates/{id}/versions',
    operationId: 'listTemplateVersions',
    summary: 'List the versions of a template, newest first',
    tag,
    params: IdParams,
    response: TemplateVersion,
    list: 'whole',
    handle: async ({ ctx, params, page }) => mapped(await templates.listVersions(ctx, params.id, page), toVersion),
  }),
  endpoint({
    method: 'post',
    path: '/v1/templates/{id}/duplicate',
    operationId: 'duplicateTemplate',
    summary: 'Duplicate a template',
    tag,
    status: 201,
    params: IdParams,
    response: Template,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['template.create', data.templateId],
    handle: async ({ ctx, params }) => toTemplate(await templates.duplicateTemplate(ctx, params.id)),
  }),
  endpoint({
    method: 'post',
    path: '/v1/templates/{id}/rollback',
    operationId: 'rollBackTemplate',
    summary: 'Publish the content of a stored version as the newest version',
    tag,
    params: IdParams,
    body: RollbackTemplate,
    response: Template,
    audit: ({ params }) => ['template.roll_back', params.id],
    handle: async ({ ctx, params, body }) => toTemplate(await templates.rollBackTemplate(ctx, params.id, body.version)),
  }),
  endpoint({
    method: 'post',
    path: '/v1/templates/{id}/test-send',
    operationId: 'testSendTemplate',
    summary: 'Send a template to one address, its subject prefixed with [Test]',
    tag,
    params: IdParams,
    body: TestSendTemplate,
    response: TestSent,
    errors: ['send_failed', 'invalid_state', 'rate_limited'],
    handle: ({ ctx, params, body }) => testSendTemplate(ctx, params.id, { to: body.to, variables: body.variables ?? {} }),
  }),
];

/** Beyond the 92. */
export const templateExtensions = [
  endpoint({
    method: 'post',
    path: '/v1/templates/preview',
    operationId: 'previewTemplate',
    summary: 'Render a template for a contact',
    description:
      'An extension of this implementation. Renders the given content as a message, with the values of the contact overridden by `variables`. Nothing is ' +
      'sent or stored. Without `contact`, no values are used, which shows the fallbacks.',
    tag: 'Extensions',
    extension: true,
    body: PreviewTemplate,
    furtherFaults,
    warn: (_ctx, { subject, body }) => foreignSyntax(subject, body),
    response: TemplatePreview,
    errors: ['not_found', 'send_failed'],
    handle: ({ ctx, body: { contact = null, variables = {}, ...content } }) => previewTemplate(ctx, { ...content, contact, variables }),
  }),
];

import type { z } from 'zod';
import { invalid } from '../../../src/platform/core';
import { parseMailbox } from '../../../src/platform/addresses';
import { resendMailbox } from '../../../src/rules/resend-names';
import type { Template as WireTemplate } from '../../templates/schemas';
import { entriesOf, membersOf, refuse, stated } from '../kit/members';
import type { Members } from '../kit/members';
import { perform } from '../kit/operations';
import { byId, resend, wholeList } from './declare';
import { placeholdersHere } from './placeholders';

type Template = z.output<typeof WireTemplate>;

/** Returns the address and the name of a sender, `Ada <ada@example.com>`, as templates and campaigns store them. */
export function senderFields(from: unknown): Members {
  if (from === undefined) return {};
  const mailbox = typeof from === 'string' ? parseMailbox(from) : null;
  return mailbox ? { fromEmail: mailbox.email, fromName: mailbox.name } : { fromEmail: from };
}

const WHY = {
  alias: 'Templates have no alias here: use the id',
  reply_to: 'Templates have no reply address here: give it with each message',
};

// A variable is declared by its use.
function refuseFallbacks(variables: unknown): void {
  if (variables === undefined) return;
  for (const each of entriesOf(variables, 'variables')) {
    const { key, fallback_value: fallback } = membersOf(each, 'variables');
    if (fallback !== undefined && fallback !== null)
      throw invalid('variables', 'invalid_combination', `Write the fallback in the placeholder here: {{{${String(key)}|your fallback}}}`);
  }
}

function fieldsOf(given: Members): Members {
  refuse(given, WHY);
  refuseFallbacks(given['variables']);
  const { name, subject, html, from } = given;
  return {
    ...(name !== undefined && { name }),
    ...(subject !== undefined && { subject: placeholdersHere(subject) }),
    ...(html !== undefined && { body: placeholdersHere(html) }),
    ...senderFields(from),
  };
}

const view = (template: Template) => ({
  id: template.templateId,
  name: template.name,
  status: 'published' as const,
  alias: null,
  created_at: template.createdAt,
  updated_at: template.updatedAt,
  published_at: template.updatedAt,
});

const named = (id: string | undefined) => ({ object: 'template', id });

export const templateRoutes = [
  resend('POST /templates', 'createTemplate', async (request) => {
    const body = fieldsOf(stated(membersOf(request.body)));
    // Drafts may be without a subject there.
    const subject = body['subject'] ?? body['name'];
    return named((await perform<Template>('createTemplate', request, { body: { ...body, subject } })).templateId);
  }),
  resend('GET /templates', 'listTemplates', (request) =>
    wholeList<Template>(request, { operationId: 'listTemplates', idOf: ({ templateId }) => templateId, show: view }),
  ),
  resend('GET /templates/{id}', 'getTemplate', async (request) => {
    const template = await perform<Template>('getTemplate', request, byId(request));
    return {
      object: 'template',
      ...view(template),
      subject: template.subject,
      html: template.body,
      text: null,
      from: resendMailbox(template.fromEmail, template.fromName),
      reply_to: null,
      variables: null,
      has_unpublished_versions: false,
    };
  }),
  resend('PATCH /templates/{id}', 'updateTemplate', async (request) => {
    await perform('updateTemplate', request, { ...byId(request), body: fieldsOf(stated(membersOf(request.body))) });
    return named(request.params['id']);
  }),
  resend('DELETE /templates/{id}', 'deleteTemplate', async (request) => {
    await perform('deleteTemplate', request, byId(request));
    return { ...named(request.params['id']), deleted: true };
  }),
  resend('POST /templates/{id}/duplicate', 'duplicateTemplate', async (request) =>
    named((await perform<Template>('duplicateTemplate', request, byId(request))).templateId),
  ),
  // Every version is in use once it is saved.
  resend('POST /templates/{id}/publish', 'updateTemplate', async (request) => {
    await perform('getTemplate', request, byId(request));
    return named(request.params['id']);
  }),
];

import { cancelEmail } from '../../src/sending/accept';
import * as emails from '../../src/records/emails';
import { paged } from '../http/answers';
import { endpoint, extensions, group, listEndpoint } from '../http/endpoint';
import { IdParams } from '../http/pieces';
import { CancelledEmail, Email, EmailQuery, EmailSummary, RescheduleEmail } from './schemas';
import type { z } from 'zod';
import type { Bodies, Email as StoredEmail } from '../../src/records/emails';

export const emailRoutes = group('Emails', [
  listEndpoint('GET /v1/emails', {
    operationId: 'listEmails',
    summary: 'List e-mails, newest first',
    description:
      'With `status`, `source` or `subject`, a page examines up to 50,000 e-mails if no index applies; with `to` or `contactId` also for `campaignId`, `workflowId` and `tag`; with `status=scheduled` also for `from` and `until`. It can then have fewer rows than `limit`, even none; `nextCursor` continues where it stopped. `nextCursor` is null only at the end.',
    access: 'sending',
    request: { query: EmailQuery },
    response: EmailSummary,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(emails.listEmails(ctx, query, page), toEmailSummary),
  }),
  endpoint('GET /v1/emails/{id}', {
    operationId: 'getEmail',
    summary: 'Get an e-mail with its rendered content',
    description:
      'In links that act for the recipient, the token is replaced by `…`. A key with the scope `sending` does not see the content: the response has `contentHidden`.',
    access: 'sending',
    request: { params: IdParams },
    response: Email,
    handle: async ({ ctx, params }) => {
      const { email, bodies } = await emails.getEmail(ctx, params.id);
      return ctx.readsContent === false ? toEmailWithoutContent(email) : toEmail(email, bodies);
    },
  }),
  endpoint('DELETE /v1/emails/{id}', {
    operationId: 'cancelEmail',
    summary: 'Cancel a scheduled e-mail',
    description: 'Either the e-mail is cancelled and never sent, or the response is 409 and it is sent.',
    request: { params: IdParams },
    response: CancelledEmail,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => {
      await cancelEmail(ctx, params.id);
      return { emailId: params.id, status: 'cancelled' as const };
    },
  }),
]);

export const emailExtensions = extensions('Extensions', [
  endpoint('PATCH /v1/emails/{id}', {
    operationId: 'rescheduleEmail',
    summary: 'Reschedule a scheduled e-mail',
    description:
      'The new time can be earlier or later. Either the e-mail is sent at the new time, or the response is 409 and it is sent at its previous time or was cancelled.',
    request: { params: IdParams, body: RescheduleEmail },
    response: EmailSummary,
    errors: ['invalid_state'],
    handle: async ({ ctx, params, body }) => toEmailSummary(await emails.rescheduleEmail(ctx, params.id, body.sendAt)),
  }),
]);

const toEmailSummary = (email: StoredEmail): z.input<typeof EmailSummary> => emails.emailSummary(email);

/** Returns the message for a key that may send but not read. */
const toEmailWithoutContent = (email: StoredEmail): z.input<typeof Email> => ({
  ...toEmailSummary(email),
  body: '',
  text: '',
  contentHidden: true,
});

const toEmail = (email: StoredEmail, { html, text, isKept }: Bodies): z.input<typeof Email> => ({
  ...toEmailSummary(email),
  body: html,
  text,
  ...(!isKept && { contentKept: false as const }),
});

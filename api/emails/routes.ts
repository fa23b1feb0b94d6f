import { cancelEmail } from '../../src/sending/accept';
import { rescheduleEmail } from '../../src/records/emails';
import * as emails from '../../src/records/emails';
import { paged } from '../http/answers';
import { endpoint, group, listEndpoint } from '../http/endpoint';
import { IdParams } from '../http/pieces';
import { CancelledEmail, Email, EmailQuery, EmailSummary, RescheduleEmail } from './schemas';
import { toEmail, toEmailSummary, toEmailWithoutContent } from './view';

export const emailRoutes = group('Emails', [
  listEndpoint('GET /v1/emails', {
    operationId: 'listEmails',
    summary: 'List e-mails, newest first',
    description:
      'With `status` or `source` a page looks at no more than 50,000 e-mails where no index has them: it may then have fewer than `limit`, even none, and `nextCursor` goes on where it stopped. `nextCursor` is null at the end alone.',
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
      'Links that let their holder act as the recipient have `…` for their token. To a key of the scope `sending` the content is not shown: it says `contentHidden`.',
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
    summary: 'Stop a scheduled e-mail',
    description: 'Either it is cancelled and never sent, or the answer is 409 and it is sent.',
    request: { params: IdParams },
    response: CancelledEmail,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => {
      await cancelEmail(ctx, params.id);
      return { emailId: params.id, status: 'cancelled' as const };
    },
  }),
]);

export const emailExtensions = group('Extensions', [
  endpoint('PATCH /v1/emails/{id}', {
    operationId: 'rescheduleEmail',
    summary: 'Move a scheduled e-mail to another time',
    description:
      'An extension of this implementation. Earlier or later. Either it goes out then, or the answer is 409 and it is sent at its old time, or was cancelled.',
    request: { params: IdParams, body: RescheduleEmail },
    response: EmailSummary,
    errors: ['invalid_state'],
    handle: async ({ ctx, params, body }) => toEmailSummary(await rescheduleEmail(ctx, params.id, body.sendAt)),
  }),
]);

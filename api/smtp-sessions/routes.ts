import { listSessions } from '../../src/records/smtp-sessions';
import { paged } from '../http/answers';
import { group, listEndpoint } from '../http/endpoint';
import { SmtpSession, SmtpSessionQuery } from './schemas';
import { toSmtpSession } from './view';

export const smtpSessionExtensions = group('Extensions', [
  listEndpoint('GET /v1/smtp-sessions', {
    operationId: 'listSmtpSessions',
    summary: 'List SMTP sessions, newest first',
    description:
      'An extension of this implementation. The connections over which a key has signed in to SMTP submission, for 30 days: what was accepted, and what was refused and why. An open connection is listed as it was up to five seconds before.',
    request: { query: SmtpSessionQuery },
    response: SmtpSession,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(listSessions(ctx, query, page), toSmtpSession),
  }),
]);

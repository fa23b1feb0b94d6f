import { listSessions } from '../../src/records/smtp-sessions';
import { paged } from '../http/answers';
import { extensions, listEndpoint } from '../http/endpoint';
import { z } from 'zod';
import { timestamp } from '../http/pieces';
import type { SmtpSession as StoredSmtpSession } from '../../src/records/smtp-sessions';

const result = z.enum(['accepted', 'partial', 'refused', 'nothing']).meta({
  description: '`partial`: something was accepted and something refused. `nothing`: the program signed in and submitted nothing',
});

const SmtpSessionQuery = z.object({ result: result.optional() });

const SmtpSession = z
  .object({
    sessionId: z.string().meta({ description: 'The id of the session' }),
    startedAt: timestamp,
    endedAt: timestamp.nullable().meta({
      description: 'Null while the connection is open, which is at most 30 minutes; it stays null if the process that served it was killed',
    }),
    testMode: z.boolean(),
    network: z.string().meta({ description: 'The network of the program: its IP address without the last part' }),
    client: z.string().meta({ description: 'The name that the program sent in EHLO' }),
    tls: z.string().meta({ description: 'The version of TLS' }),
    key: z.string().meta({ description: 'The first characters of the API key' }),
    result,
    accepted: z.int().meta({ description: 'Messages that were answered with 250' }),
    refused: z.int().meta({ description: 'Commands and messages that were refused' }),
    emailIds: z.array(z.string()).meta({ description: 'The newest 100 e-mails that were stored' }),
    refusals: z.array(z.string()).meta({ description: 'The newest 10 replies that refused something' }),
  })
  .meta({ id: 'SmtpSession', description: 'A connection over which a key has signed in to SMTP submission' });

export const smtpSessionExtensions = extensions('Extensions', [
  listEndpoint('GET /v1/smtp-sessions', {
    operationId: 'listSmtpSessions',
    summary: 'List SMTP sessions, newest first',
    description:
      'The connections over which a key has signed in to SMTP submission, for 30 days: what was accepted, and what was refused and why. An open connection is listed as it was up to five seconds before.',
    request: { query: SmtpSessionQuery },
    response: SmtpSession,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(listSessions(ctx, query, page), toSmtpSession),
  }),
]);

const resultOf = ({ accepted, refused }: StoredSmtpSession): z.input<typeof SmtpSession>['result'] => {
  if (accepted > 0) return refused > 0 ? 'partial' : 'accepted';
  return refused > 0 ? 'refused' : 'nothing';
};

const toSmtpSession = (session: StoredSmtpSession): z.input<typeof SmtpSession> => {
  const { _id, createdAt, endedAt, testMode, network, client, tls, keyPrefix, accepted, refused, emailIds, refusals } = session;
  return {
    sessionId: _id,
    startedAt: createdAt,
    endedAt: endedAt ?? null,
    testMode,
    network,
    client,
    tls,
    key: keyPrefix,
    result: resultOf(session),
    accepted,
    refused,
    emailIds: [...emailIds],
    refusals: [...refusals],
  };
};

import { z } from 'zod';
import { timestamp } from '../http/pieces';

const result = z.enum(['accepted', 'partial', 'refused', 'nothing']).meta({
  description: '`partial`: something was accepted and something refused. `nothing`: the program signed in and submitted nothing',
});

export const SmtpSessionQuery = z.object({ result: result.optional() });

export const SmtpSession = z
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

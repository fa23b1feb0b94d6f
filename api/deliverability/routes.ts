import { readProviders } from '../../src/sending/deliverability';
import { endpoint, group } from '../http/endpoint';
import { z } from 'zod';
import { count, optionalTimestamp, timestamp, wholeNumber } from '../http/pieces';

const ProvidersQuery = z.object({
  days: wholeNumber(1, 30).default(7).meta({ description: 'Number of days that are counted' }),
});

const ProviderReply = z
  .object({
    reply: z.string().meta({ description: 'Code and text, without addresses' }),
    count: count.meta({ description: 'How many messages got it' }),
  })
  .meta({ id: 'ProviderReply', description: 'A reply of a provider' });

const ProviderFigures = z
  .object({
    provider: z.string().meta({ description: 'A known provider, the registered domain of the mail exchanger, or `other`' }),
    sent: count.meta({ description: 'Messages that were accepted or refused for good' }),
    delivered: count.meta({ description: 'Messages that were delivered and did not bounce' }),
    deferred: count.meta({ description: 'Messages that wait for another attempt' }),
    bounced: count.meta({ description: 'Messages that bounced' }),
    policyRefusals: count.meta({ description: 'Refusals by rules for senders' }),
    complained: count.meta({ description: 'Messages that were reported as spam' }),
    complaintRate: z.number().nullable().meta({ description: 'Complaints per delivered message; null without a delivery' }),
    heldSince: optionalTimestamp.meta({ description: 'Since when campaigns are held for the provider' }),
    replies: z.array(ProviderReply).readonly().meta({ description: 'The newest different replies to undelivered mail, at most 5' }),
  })
  .meta({ id: 'ProviderFigures', description: 'The outcome of the mail to a provider' });

const Providers = z
  .object({
    since: timestamp.meta({ description: 'Messages that were created from then on are counted' }),
    providers: z.array(ProviderFigures).readonly().meta({ description: 'The providers, those with most mail first' }),
  })
  .meta({ id: 'Providers', description: 'The outcome of the mail to each provider' });

export const deliverabilityExtensions = group('Extensions', [
  endpoint('GET /v1/deliverability/providers', {
    operationId: 'listProviders',
    summary: 'Get the outcome of the mail to each provider',
    description:
      'An extension of this implementation. Counts the newest 20,000 messages of the last days by who takes the mail of the recipient, without test mode. The domains beyond the first 100 are counted as `other`.',
    request: { query: ProvidersQuery },
    response: Providers,
    handle: ({ ctx, query }) => readProviders(ctx, query.days),
  }),
]);

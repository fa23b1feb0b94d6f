import { readProviders } from '../../src/sending/deliverability';
import { endpoint, group } from '../http/endpoint';
import { Providers, ProvidersQuery } from './schemas';

export const deliverabilityExtensions = group('Extensions', [
  endpoint('GET /v1/deliverability/providers', {
    operationId: 'listProviders',
    summary: 'Get the outcome of the mail to each provider',
    description:
      'An extension of this implementation. Counts the newest 20,000 messages of the last days by who takes the mail of the recipient, without test mode. The domains beyond the first 100 are counted as `other`.',
    request: { query: ProvidersQuery },
    response: Providers,
    handle: async ({ ctx, query }) => {
      const { since, providers } = await readProviders(ctx, query.days);
      return {
        since: since.toISOString(),
        providers: providers.map((one) => ({ ...one, heldSince: one.heldSince?.toISOString() ?? null })),
      };
    },
  }),
]);

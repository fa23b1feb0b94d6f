import { readProviders, readTransports } from '../../src/sending/deliverability';
import { endpoint, extensions } from '../http/endpoint';
import { DeliverabilityQuery, Providers, Transports } from './schemas';

export const deliverabilityExtensions = extensions('Extensions', [
  endpoint('GET /v1/deliverability/providers', {
    operationId: 'listProviders',
    summary: 'Get the outcome of the mail to each provider',
    description:
      'Counts the newest 20,000 messages of the last days by who takes the mail of the recipient, without test mode. The domains beyond the first 100 are counted as `other`.',
    request: { query: DeliverabilityQuery },
    response: Providers,
    handle: ({ ctx, query }) => readProviders(ctx, query.days),
  }),

  endpoint('GET /v1/deliverability/transports', {
    operationId: 'listTransports',
    summary: 'Get the outcome of the mail over each transport',
    description:
      'Counts the newest 20,000 messages of the last days by the transport of their last attempt, without test mode. Hosts, addresses and credentials stay with the operator.',
    request: { query: DeliverabilityQuery },
    response: Transports,
    handle: ({ ctx, query }) => readTransports(ctx, query.days),
  }),
]);

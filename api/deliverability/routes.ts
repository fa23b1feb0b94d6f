import { readProviders, readTransports } from '../../src/sending/deliverability';
import { endpoint, extensions } from '../http/endpoint';
import { z } from 'zod';
import { count, optionalTimestamp, timestamp, wholeNumber } from '../http/pieces';

const DeliverabilityQuery = z.object({
  days: wholeNumber(1, 30).default(7).meta({ description: 'Number of days that are counted' }),
});

const since = timestamp.meta({ description: 'Messages that were created from then on are counted' });

const outcomes = {
  sent: count.meta({ description: 'Messages that were accepted or refused for good' }),
  delivered: count.meta({ description: 'Messages that were delivered and did not bounce' }),
  deferred: count.meta({ description: 'Messages that wait for another attempt now; one that was accepted later is only in `sent`' }),
  bounced: count.meta({ description: 'Messages that bounced' }),
};

const ProviderReply = z
  .object({
    reply: z.string().meta({ description: 'Code and text, without addresses' }),
    count: count.meta({ description: 'How many messages got it' }),
  })
  .meta({ id: 'ProviderReply', description: 'A reply of a provider' });

const ProviderHold = z
  .object({
    since: timestamp.meta({ description: 'When the hold began' }),
    reply: z.string().meta({ description: 'The last reply, without addresses' }),
    refused: count.meta({ description: 'Messages of the project that it refused by its rules for senders' }),
    how: z.string().meta({ description: 'Recommended action, human-readable, such as records to publish' }),
    nextCheckAt: optionalTimestamp.meta({ description: 'When Lettermill checks next whether the provider accepts the mail' }),
  })
  .meta({ id: 'ProviderHold', description: 'Why campaigns of a project are held for a provider' });

const ProviderMeasure = z
  .object({
    do: z.enum(['suspend', 'rate']).meta({ description: '`suspend`: nothing is sent; `rate`: less is sent' }),
    until: timestamp.meta({ description: 'When it ends' }),
    perMinute: z.number().optional().meta({ description: 'Messages a minute of each worker; present for `rate`' }),
  })
  .meta({ id: 'ProviderMeasure', description: 'A limit by a rule of the operator, for the mail of all projects to a provider' });

const ProviderFigures = z
  .object({
    provider: z.string().meta({ description: 'A known provider, the registered domain of the mail exchanger, or `other`' }),
    ...outcomes,
    policyRefusals: count.meta({ description: 'Refusals by rules for senders' }),
    complained: count.meta({ description: 'Messages that were reported as spam' }),
    complaintRate: z.number().nullable().meta({ description: 'Complaints per delivered message; null without a delivery' }),
    hold: ProviderHold.nullable().meta({ description: 'Present while campaigns are held for the provider; otherwise null' }),
    measures: z.array(ProviderMeasure).readonly().meta({ description: 'What slows or stops all mail to it now' }),
    replies: z.array(ProviderReply).readonly().meta({ description: 'The newest different replies to undelivered mail, at most 5' }),
  })
  .meta({ id: 'ProviderFigures', description: 'The outcome of the mail to a provider' });

const Providers = z
  .object({
    since,
    providers: z.array(ProviderFigures).readonly().meta({
      description: 'The providers, those with most mail first; those with limits are included if mail of the project waits for them',
    }),
  })
  .meta({ id: 'Providers', description: 'The outcome of the mail to each provider' });

const TransportRamp = z
  .object({
    step: count.meta({ description: 'The step of today; the first one is 1' }),
    steps: count.meta({ description: 'How many steps have a limit' }),
    amount: count.meta({ description: 'Messages of today, of all projects; of each provider where `used` names providers' }),
    used: z
      .array(z.object({ provider: z.string().nullable().meta({ description: 'A known provider; null for all' }), used: count }))
      .readonly()
      .meta({ description: 'What of it is used: in all (`provider` null), or by each known provider that had mail today' }),
    overflow: z
      .enum(['wait', 'other'])
      .meta({ description: 'What happens to mail beyond the limit: it waits for the next day, or takes another transport' }),
    heldBack: z
      .enum(['refused', 'unused'])
      .nullable()
      .meta({ description: 'Why today has the amount of the day before: too much was `refused`, or it was `unused`' }),
    nextDayAt: timestamp.meta({ description: 'When the next day begins' }),
  })
  .meta({ id: 'TransportRamp', description: 'What a transport takes today' });

const TransportFigures = z
  .object({
    name: z.string().meta({ description: 'Its name; `default` for mail without a route' }),
    kind: z
      .enum(['smarthost', 'direct'])
      .nullable()
      .meta({ description: "A relay, or straight to the recipients' servers; null if mail of the project does not use it any more" }),
    ...outcomes,
    waiting: count.meta({ description: 'Messages that wait for the next day of its ramp' }),
    ramp: TransportRamp.nullable().meta({ description: 'Null without a daily limit' }),
  })
  .meta({ id: 'TransportFigures', description: 'The outcome of the mail over a transport' });

const Transports = z
  .object({
    since,
    transports: z.array(TransportFigures).readonly().meta({ description: 'Those that mail of the project takes, or has taken' }),
  })
  .meta({ id: 'Transports', description: 'The outcome of the mail over each transport' });

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

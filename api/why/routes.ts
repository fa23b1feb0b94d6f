import { whyOf } from '../../src/marketing/why';
import { ContactParams } from '../contacts/schemas';
import { endpoint, extensions } from '../http/endpoint';
import type { Why as Answer } from '../../src/marketing/why';
import { reasonOf } from '../../src/rules/why';
import { z } from 'zod';
import { count, id, json, optionalText, optionalTimestamp, timestamp } from '../http/pieces';
import { skipDetail } from '../http/skip-detail';

const NAMES = ['campaignId', 'workflowId', 'emailId'] as const;

const WhyQuery = z
  .object({
    campaignId: id.optional().meta({ description: 'Give exactly one of the three' }),
    workflowId: id.optional(),
    emailId: id.optional(),
  })
  .refine((query) => NAMES.filter((name) => query[name] !== undefined).length === 1, {
    path: ['campaignId'],
    params: { code: 'invalid_combination' },
    error: 'Give one of campaignId, workflowId and emailId',
  });

const CHECKS = [
  'project',
  'audience',
  'campaign',
  'restore',
  'contact',
  'workflow',
  'reentry',
  'trigger_filter',
  'trigger',
  'suppression',
  'subscription',
  'topic',
  'snooze',
  'window',
  'person_limits',
  'reputation',
  'limits',
  'hold',
  'domain',
] as const;

const Judgement = z
  .object({
    check: z.enum(CHECKS).meta({ description: 'The question' }),
    passed: z.boolean().meta({ description: 'Whether the answer lets the message go' }),
    asOf: z.enum(['judged', 'now']).meta({ description: '`judged`: the facts recorded at the time; `now`: the current facts' }),
    at: optionalTimestamp.meta({ description: 'The instant of the facts; null where it was not recorded' }),
    facts: json.meta({ description: 'The facts of the check' }),
  })
  .meta({ id: 'Judgement', description: 'One question about a message to a person, with its answer' });

const Attempts = z
  .object({
    emailId: z.string(),
    count: count.meta({ description: 'Attempts so far' }),
    lastAt: optionalTimestamp.meta({ description: 'The start of the last one' }),
    nextAt: optionalTimestamp.meta({ description: 'The start of the next attempt, if the message is deferred' }),
    sentAt: optionalTimestamp,
    words: optionalText.meta({ description: 'The last reply of the server' }),
  })
  .meta({ id: 'WhyAttempts', description: 'The attempts' });

const verdict = z
  .enum([
    'delivered',
    'bounced',
    'failed',
    'deferred',
    'in_doubt',
    'pending',
    'skipped',
    'not_in_audience',
    'would_send',
    'would_skip',
    'enrolled',
    'not_enrolled',
  ])
  .meta({ description: 'The outcome of the message, or its expected outcome' });

const reason = optionalText.meta({ description: 'The reason of the first failed check; null if there is none' });
const detail = skipDetail
  .optional()
  .meta({ description: 'Present if the reason is a topic, a pause of marketing mail, a send window, or a limit for the person' });

const Why = z
  .object({
    verdict,
    reason,
    detail,
    judgements: z.array(Judgement).readonly().meta({ description: 'In evaluation order, up to the first check that fails' }),
    attempts: Attempts.nullable(),
    language: optionalText
      .optional()
      .meta({ description: 'For a campaign with variants: the language of the message, or of the one it would be; null for the default' }),
    nodes: z
      .array(
        z
          .object({ nodeId: z.string(), at: timestamp, verdict, reason, detail, attempts: Attempts.nullable() })
          .meta({ id: 'WhyNode', description: 'The outcome of a `send_email` node for a person' }),
      )
      .readonly()
      .optional()
      .meta({ description: 'For a workflow: its messages to the contact in the latest enrollment' }),
  })
  .meta({ id: 'Why', description: 'Why a person got a message, or did not' });

export const whyExtensions = extensions('Extensions', [
  endpoint('GET /v1/contacts/{id}/why', {
    operationId: 'explainContact',
    summary: 'Explain why a contact got a message, or did not',
    description:
      'Explains a campaign, a workflow or one e-mail. It also works before a launch, and for contacts that got nothing. Each judgement shows the facts it was based on. If none were recorded, it shows the current facts and `asOf` is `now`.',
    request: { params: ContactParams, query: WhyQuery },
    response: Why,
    errors: ['invalid_state'],
    handle: async ({ ctx, params, query }) => toWhy(await whyOf(ctx, params.id, query)),
  }),
]);

type Wire = z.input<typeof Why>;

function toJudgement(judgement: Answer['judgements'][number]): Wire['judgements'][number] {
  const { check, asOf, at, ...facts } = judgement;
  return { check, passed: reasonOf(judgement) === null, asOf, at, facts: { ...facts } };
}

const toWhy = ({ judgements, ...why }: Answer): Wire => ({ ...why, judgements: judgements.map(toJudgement) });

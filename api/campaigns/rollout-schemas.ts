import { z } from 'zod';
import { ROLLOUT_CHECKS } from '../../src/rules/rollout';
import type { RolloutWait } from '../../src/rules/rollout';
import { spanMilliseconds } from '../../src/rules/automation/delay';
import { added, because, boundedArray, count, optionalTimestamp } from '../http/pieces';

const MOST_STEPS = 10;
const MOST_WAIT: RolloutWait = { amount: 30, unit: 'days' };

const span = { amount: z.int().min(1).max(43_200), unit: z.enum(['minutes', 'hours', 'days']) };

const wait = z
  .strictObject(span)
  .refine((given) => spanMilliseconds(given) <= spanMilliseconds(MOST_WAIT), because('invalid_combination', 'At most 30 days', ['amount']))
  .meta({ id: 'RolloutWait', description: 'How long the campaign waits after a step: from 1 minute to 30 days' });

const percent = z.int().min(1).max(100).meta({ description: 'The share of the audience that has got its message after this step' });

const step = z
  .strictObject({
    percent,
    wait: wait.optional().meta({ description: 'Required in each step but the last, which has none' }),
  })
  .meta({ id: 'RolloutStep', description: 'A step in which a campaign is sent' });

/** The shares grow to the whole audience, and each step but the last waits. */
const steps = boundedArray(step, 2, MOST_STEPS).superRefine((given, ctx) => {
  const fault = (path: PropertyKey[], message: string) =>
    ctx.addIssue({ code: 'custom', path, message, params: { code: 'invalid_combination' } });
  for (const [index, { percent: share, wait: waits }] of given.entries()) {
    const isLast = index === given.length - 1;
    if (share <= (given[index - 1]?.percent ?? 0)) fault([index, 'percent'], 'Must be more than in the step before');
    if (isLast && share !== 100) fault([index, 'percent'], 'Must be 100 in the last step');
    if (isLast !== (waits === undefined))
      fault([index, 'wait'], isLast ? 'The last step has no wait' : 'Required in each step but the last');
  }
});

export const rollout = added(
  steps.optional(),
  'sends the campaign in 2 to 10 steps. It waits after each, and stops if too many messages bounced, were refused, reported as spam, or failed. Not with an A/B test, a schedule, `localTime`, or windows that skip recipients',
);

const Finding = z
  .object({
    check: z.enum(ROLLOUT_CHECKS).meta({ description: 'The name of the check, for programs' }),
    what: z.string().meta({ description: 'The finding' }),
    how: z.string().meta({ description: 'Recommended action' }),
    detail: z.string().meta({ description: 'The figures or the reply that it is about' }),
  })
  .meta({ id: 'RolloutFinding', description: 'The reason why a rollout stopped' });

export const ShownRollout = z
  .array(
    z
      .object({
        percent: z.int().meta({ description: 'The share of the audience that has got its message after this step' }),
        wait: z.object({ amount: z.int(), unit: span.unit }).nullable().meta({ description: 'The wait after it; null in the last step' }),
        state: z.enum(['pending', 'sending', 'waiting', 'held', 'done', 'cancelled']).meta({
          description:
            '`waiting`: it is sent, and its wait is not over. `held`: its results stopped the rollout. `done`: the next step may go out',
        }),
        recipients: count.nullable().meta({ description: 'Recipients of this step; null until the audience is frozen' }),
        sentAt: optionalTimestamp.meta({ description: 'When its wait began' }),
        checkAt: optionalTimestamp.meta({ description: 'While it waits: when it is checked, and the next step begins' }),
        result: z
          .object({
            sent: count,
            bounced: count,
            refused: count.meta({ description: 'Bounced because of the sender or the content' }),
            complained: count,
            failed: count,
          })
          .nullable()
          .meta({ description: 'Counts of the check since the previous one; null until then' }),
        findings: z.array(Finding).readonly().meta({ description: 'The reason why the rollout stopped after this step' }),
      })
      .meta({ id: 'ShownRolloutStep', description: 'A step of a rollout, and how far it is' }),
  )
  .readonly();

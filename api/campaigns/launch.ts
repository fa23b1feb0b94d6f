import { z } from 'zod';
import type { SendOptions } from '../../src/marketing/campaigns';
import { forced, withReason } from './preflight-schemas';
import { rollout } from './rollout-schemas';
import { added, count, extended, fault, instant, instantAhead, optionalTimestamp, timestamp, timezone, together } from '../http/pieces';

const MAX_THROTTLE = 1_000_000;

const READING = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** The date and the time of day of an instant as it is written, without its offset. */
const launchTime = z
  .string()
  .transform((text, ctx) => {
    const [reading = null] = READING.exec(text) ?? [];
    if (
      reading !== null &&
      instant.safeParse(`${reading}Z`).success &&
      (/^(:\d{2}(\.\d+)?)?$/.test(text.slice(reading.length)) || instant.safeParse(text).success)
    )
      return { reading, text };
    return fault(ctx, 'invalid_string', 'Must be an instant with an offset, like 2026-11-23T09:00:00Z');
  })
  .meta({ format: 'date-time' });

interface Launch {
  readonly scheduledFor?: { readonly reading: string; readonly text: string } | undefined;
  readonly localTime?: boolean | undefined;
  readonly passed?: unknown;
  readonly fallback?: unknown;
}

const future = instantAhead(0);

// Without a local time, the start is an instant in the future.
function checkAhead({ scheduledFor, localTime }: Launch, ctx: z.RefinementCtx): void {
  if (scheduledFor === undefined || localTime === true) return;
  const [wrong] = future.safeParse(scheduledFor.text).error?.issues ?? [];
  if (wrong) ctx.addIssue({ ...wrong, path: ['scheduledFor'] });
}

const launch = {
  scheduledFor: launchTime.optional().meta({
    description: 'When it starts. With `localTime`, the date and time in each recipient’s time zone: an offset is optional and ignored',
  }),
  localTime: added(z.boolean().optional(), 'each recipient gets it when their own clock shows `scheduledFor`'),
  passed: extended(
    z.enum(['now', 'nextDay', 'skip']).optional(),
    'An extension of this implementation, with `localTime`: what happens to recipients whose local time has already passed at the start; default `now`',
  ),
  fallback: extended(
    timezone.optional(),
    'An extension of this implementation, with `localTime`: the time zone for recipients whose own is not known; default: the fallback of the windows, or UTC',
  ),
};

const launched = <T extends z.ZodObject>(schema: T) =>
  schema
    .superRefine((value, ctx) => checkAhead(value as Launch, ctx))
    .refine(
      (value) => (value as Launch).localTime !== true || (value as Launch).scheduledFor !== undefined,
      together('Required with `localTime`', 'scheduledFor'),
    )
    .refine(
      (value) => (value as Launch).localTime === true || (value as Launch).passed === undefined,
      together('Only with `localTime`', 'passed'),
    )
    .refine(
      (value) => (value as Launch).localTime === true || (value as Launch).fallback === undefined,
      together('Only with `localTime`', 'fallback'),
    );

const sending = z.strictObject({
  ...launch,
  abDecideAt: instant
    .optional()
    .meta({ description: 'After the start, at most 365 days; default 4 hours after it. Ignored without `abSubjectB`' }),
  decide: added(
    z.enum(['onTime', 'afterResume']).optional(),
    'whether the winner of an A/B test is chosen at `abDecideAt` even if the campaign is paused then (`onTime`, the default), or once it is resumed. Ignored without `abSubjectB`',
  ),
  throttlePerMinute: z.int().min(1).max(MAX_THROTTLE).optional().meta({ description: 'Spaces the messages evenly' }),
  rollout,
});

/** Returns the schema of a launch with further members. */
export const launchWith = <M extends z.ZodRawShape>(members: M) => withReason(launched(sending.extend({ ...forced, ...members })));

export const SendCampaign = launchWith({});
/** The same as for sending, without what stops a launch. */
export const PlanCampaign = launched(sending);

const never = z
  .object({
    reason: z.enum(['unsubscribed', 'suppressed', 'limit_reached']),
    detail: z.string().optional().meta({ description: 'The kind of suppression, `topic`, `paused`, `closed` or `expired`' }),
    count,
  })
  .meta({ id: 'PlannedSkips', description: 'Contacts that never get the campaign, and why' });

export const CampaignPlan = z
  .object({
    startsAt: timestamp.meta({ description: 'When the campaign begins' }),
    lastAt: optionalTimestamp.meta({ description: 'The start of the last hour; null without recipients' }),
    recipients: count.meta({ description: 'How many get it' }),
    hours: z
      .array(
        z.object({
          hour: timestamp.meta({ description: 'When the hour begins' }),
          count,
          zones: z
            .array(z.object({ timezone: z.string(), at: timestamp.meta({ description: 'The first of them' }), count }))
            .readonly()
            .meta({ description: 'The same by time zone' }),
        }),
      )
      .readonly()
      .meta({ description: 'How many get it, by hour in UTC' }),
    fallback: count.meta({ description: 'Contacts without a known time zone, for whom `fallback` is used' }),
    late: count.meta({ description: 'Contacts whose window closes before the throttle reaches them: they wait for the next window' }),
    never: z.array(never).readonly().meta({ description: 'How many never get it, by reason' }),
  })
  .meta({ id: 'CampaignPlan', description: 'Who gets a campaign when, and how many contacts never do' });

type Asked = z.output<typeof PlanCampaign> & { readonly force?: boolean | undefined };

const localTimeOf = ({ scheduledFor, localTime, passed = 'now', fallback }: Asked): SendOptions['localTime'] =>
  localTime === true && scheduledFor ? { at: scheduledFor.reading, passed, fallback: fallback ?? null } : null;

/** Returns when and how a campaign is to be launched. */
export function optionsOf(asked: Asked): SendOptions {
  const { scheduledFor, abDecideAt = null, decide, throttlePerMinute = null, rollout: steps, force = false } = asked;
  const localTime = localTimeOf(asked);
  return {
    scheduledFor: scheduledFor && !localTime ? new Date(scheduledFor.text) : null,
    localTime: localTime ?? null,
    abDecideAt,
    ...(decide === 'afterResume' && { decide }),
    throttlePerMinute,
    rollout: steps ? steps.map(({ percent, wait = null }) => ({ percent, wait })) : null,
    force,
  };
}

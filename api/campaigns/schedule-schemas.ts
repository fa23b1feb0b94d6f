import { z } from 'zod';
import { CATCH_UPS } from '../../src/rules/recurrence/schedule';
import { added, count, extended, instant, oneLine, optionalText, optionalTimestamp, timestamp, together } from '../http/pieces';
import { TurnItem } from './feed-schemas';
import { holds, withMembers } from '../http/together';

const RRULE = 'The value of an RRULE of RFC 5545, such as `FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0`';
const CRON = 'Instead of `rrule`: five fields, such as `0 9 * * 2`';

const ONE_RULE = holds({
  oneOf: [
    withMembers({ rrule: { type: 'string', description: RRULE } }, ['rrule']),
    withMembers({ cron: { type: 'string', description: CRON } }, ['cron']),
  ],
});

export const Schedule = z
  .strictObject({
    rrule: z.string().max(500).optional().meta({ description: RRULE }),
    cron: z.string().max(200).optional().meta({ description: CRON }),
    timezone: oneLine(64, 1).meta({ description: 'Time zone of the rule (IANA)' }),
    until: instant.nullable().optional().meta({ description: 'No turn starts after this instant' }),
    count: z.int().min(1).max(10_000).nullable().optional().meta({ description: 'The number of turns, including skipped turns' }),
    catchUp: z.enum(CATCH_UPS).default('latest').meta({
      description: 'What happens to missed turns: `latest` sends the latest one, `skip` sends none, `ask` waits for your answer',
    }),
  })
  .refine(({ rrule, cron }) => (rrule === undefined) !== (cron === undefined), together('Give either `rrule` or `cron`', 'rrule'))
  .meta({ id: 'CampaignSchedule', description: 'When a campaign has its turns', ...ONE_RULE });

export const evergreen = added(z.boolean().optional(), 'each turn goes only to contacts that no previous turn has reached');

export const shownEvergreen = extended(z.literal(true).optional(), 'Present if each contact gets the campaign once, in any of its turns');

export const ShownSchedule = z
  .object({
    rrule: z.string().optional().meta({ description: 'The value of an RRULE of RFC 5545' }),
    cron: z.string().optional().meta({ description: 'A cron expression of five fields' }),
    timezone: z.string(),
    until: optionalTimestamp,
    count: count.nullable(),
    catchUp: z.enum(CATCH_UPS).meta({ description: 'What happens to missed turns' }),
  })
  .meta({ id: 'ShownSchedule', description: 'When a recurring campaign has its turns' });

export const TurnOf = z
  .object({
    seriesId: z.string().meta({ description: 'The recurring campaign' }),
    number: count.meta({ description: 'Starts at 1 and includes skipped turns' }),
    at: timestamp,
  })
  .meta({ id: 'TurnOfSeries', description: 'Which turn of which series a campaign is' });

export const CampaignTurn = z
  .object({
    number: count.meta({ description: 'Starts at 1 and includes skipped turns' }),
    at: timestamp.meta({ description: 'The instant of the schedule' }),
    status: z.enum(['sending', 'sent', 'cancelled', 'skipped', 'deleted']),
    skipReason: optionalText.meta({
      description: 'Why the turn was skipped: `missed`, a reason of its feed, or the error code that a send would have returned',
    }),
    skipDetail: z.string().optional().meta({ description: 'The error of the feed, if it is the reason' }),
    campaignId: optionalText.meta({ description: 'The campaign of the turn; null if it was skipped' }),
    totalRecipients: count,
    sentAt: optionalTimestamp,
    items: z.array(TurnItem).optional().meta({ description: 'The entries of the feed that the turn sends' }),
  })
  .meta({ id: 'CampaignTurn', description: 'A turn of a recurring campaign' });

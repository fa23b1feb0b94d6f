import { z } from 'zod';
import type { Forced } from '../../src/marketing/campaigns';
import { CHECKS, LEVELS } from '../../src/rules/preflight/finding';
import { added, extended, flag, oneLine, timestamp, together } from '../http/pieces';

const Finding = z
  .object({
    check: z.enum(CHECKS).meta({ description: 'The name of the check, for programs' }),
    level: z.enum(LEVELS).meta({ description: '`block` refuses the launch, `warn` needs attention, `ok` is as it should be' }),
    what: z.string().meta({ description: 'The finding' }),
    how: z.string().meta({ description: 'Recommended action' }),
    detail: z.string().optional().meta({ description: 'The places or figures that it is about' }),
    languages: z
      .array(z.string().nullable())
      .readonly()
      .optional()
      .meta({ description: 'The languages that it is about, null for the default content; absent if it holds for all' }),
  })
  .meta({ id: 'PreflightCheck', description: 'A check before a launch' });

export const PreflightQuery = z.object({
  fetch: flag.optional().meta({ description: 'false leaves out `links` and `spam_score`, which ask other servers; default true' }),
});

export const CampaignPreflight = z
  .object({
    campaignId: z.string(),
    checks: z.array(Finding).readonly(),
    blocking: z.boolean().meta({ description: 'Whether a check has the level `block`' }),
    asOf: timestamp.meta({ description: 'When the checks began' }),
  })
  .meta({ id: 'CampaignPreflight', description: 'The checks of a campaign before its launch' });

/** Members of a launch that override what would stop it. */
export const forced = {
  force: added(z.boolean().optional(), 'launches the campaign although a check of its preflight has the level `block`'),
  forceReason: extended(oneLine(500, 1).optional(), 'An extension of this implementation, with `force`: the reason; stored in the audit'),
};

/** Adds the rule that a reason belongs to a forced launch. */
export const withReason = <T extends z.ZodObject>(schema: T) =>
  schema.refine(
    (value) => (value as Forced).force === true || (value as Forced).forceReason === undefined,
    together('Only with `force`', 'forceReason'),
  );

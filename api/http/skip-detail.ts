import { z } from 'zod';

/** Why a message was skipped, beyond the reason. */
export const skipDetail = z
  .object({
    topicId: z.string().optional().meta({ description: 'The topic that the recipient is not in' }),
    snoozedUntil: z.string().optional().meta({ format: 'date-time', description: 'When the pause of the recipient ends' }),
    window: z
      .enum(['closed', 'expired'])
      .optional()
      .meta({ description: 'The send window was closed, or would have opened after `expireAfter`' }),
    sendOnce: z.string().optional().meta({ description: 'The key whose message the recipient has, or is about to get' }),
    emailId: z.string().optional().meta({ description: 'That message' }),
    throttle: z.string().optional().meta({ description: 'The key of the throttle' }),
    cap: z.string().optional().meta({ description: 'The name of the frequency cap' }),
    until: z.string().optional().meta({ format: 'date-time', description: 'When the throttle or the cap has room again' }),
    expired: z.literal(true).optional().meta({ description: 'The cap has no room before the longest wait ends' }),
  })
  .meta({ id: 'SkipDetail', description: 'Why a message was skipped, beyond the reason' });

import { z } from 'zod';
import { count, extended } from '../http/pieces';

export const AudienceCount = z
  .object({ count })
  .meta({ id: 'AudienceCount', description: 'Subscribed contacts that are not suppressed: the audience of a send right now' });

export const AudienceBreakdown = z
  .object({
    named: count,
    count,
    leftOut: z.object({
      unsubscribed: count,
      suppressed: z.object({ hard_bounce: count, complaint: count, unsubscribe: count, manual: count }),
      topic: extended(
        count.optional(),
        'An extension of this implementation: contacts who are not in the topic; present if a topic was given',
      ),
    }),
  })
  .meta({ id: 'AudienceBreakdown' });

import { z } from 'zod';
import { extended, trackingWish } from '../http/pieces';

const byType = <T extends z.ZodType>(wish: T) => ({
  transactional: wish.meta({ description: 'Of mail of the type `transactional`' }),
  marketing: wish.meta({ description: 'Of mail of the type `marketing`, as campaigns are' }),
});

export const UpdateSettings = z.strictObject({
  tracking: extended(
    z.strictObject(byType(trackingWish.nullable().optional())).optional(),
    'What is followed of mail that says nothing of it itself; null takes back what was said',
  ),
});

const Followed = z
  .object({
    opens: z.boolean().meta({ description: 'Whether opens are followed' }),
    clicks: z.boolean().meta({ description: 'Whether clicks are followed' }),
  })
  .meta({ id: 'Followed', description: 'What is followed' });

export const Settings = z
  .object({
    tracking: z.object(byType(Followed)).meta({ description: 'What is followed of mail that says nothing of it itself' }),
  })
  .meta({ id: 'Settings' });

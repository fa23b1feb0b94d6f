import { z } from 'zod';
import { extended, name as projectName, trackingWish } from '../http/pieces';

const byType = <T extends z.ZodType>(wish: T) => ({
  transactional: wish.meta({ description: 'Of mail of the type `transactional`' }),
  marketing: wish.meta({ description: 'Of mail of the type `marketing`, as campaigns are' }),
});

const NAME = 'The name that recipients read on the public pages, and people in the console';

export const UpdateSettings = z.strictObject({
  name: extended(projectName.optional(), NAME),
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
    name: z.string().meta({ description: NAME }),
    tracking: z.object(byType(Followed)).meta({ description: 'What is followed of mail that says nothing of it itself' }),
  })
  .meta({ id: 'Settings' });

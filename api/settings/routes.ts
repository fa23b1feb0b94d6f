import type { ProjectFacts } from '../../src/platform/core';
import { changeSettings, getProject } from '../../src/records/projects';
import { trackingOf } from '../../src/rules/tracking';
import { endpoint, group } from '../http/endpoint';
import { z } from 'zod';
import { extended, name as projectName, trackingWish } from '../http/pieces';

const toSettings = ({ name, tracking }: Pick<ProjectFacts, 'name' | 'tracking'>) => ({
  name,
  tracking: { transactional: trackingOf([tracking?.transactional]), marketing: trackingOf([tracking?.marketing]) },
});

const byType = <T extends z.ZodType>(wish: T) => ({
  transactional: wish.meta({ description: 'Of mail of the type `transactional`' }),
  marketing: wish.meta({ description: 'Of mail of the type `marketing`, as campaigns are' }),
});

const NAME = 'The name that recipients read on the public pages, and people in the console';

const UpdateSettings = z.strictObject({
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

const Settings = z
  .object({
    name: z.string().meta({ description: NAME }),
    tracking: z.object(byType(Followed)).meta({ description: 'What is followed of mail that says nothing of it itself' }),
  })
  .meta({ id: 'Settings' });

export const settingsExtensions = group('Extensions', [
  endpoint('GET /v1/settings', {
    operationId: 'getSettings',
    summary: "The project's settings",
    description: 'An extension of this implementation.',
    response: Settings,
    handle: ({ ctx }) => Promise.resolve(toSettings(ctx.project)),
  }),
  endpoint('PATCH /v1/settings', {
    operationId: 'updateSettings',
    summary: "Change the project's settings",
    description:
      'An extension of this implementation. A change applies to mail that is accepted after it, and to campaign pages that start after it.',
    request: { body: UpdateSettings },
    response: Settings,
    audit: ({ body }) => (Object.keys(body).length > 0 ? ['settings.update', null] : null),
    handle: async ({ ctx, body }) => {
      await changeSettings(ctx.projectId, body);
      return toSettings(await getProject(ctx.projectId));
    },
  }),
]);

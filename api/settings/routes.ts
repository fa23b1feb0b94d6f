import type { ProjectFacts } from '../../src/platform/core';
import { getProject, setTracking } from '../../src/records/projects';
import { trackingOf } from '../../src/rules/tracking';
import { endpoint } from '../http/endpoint';
import { Settings, UpdateSettings } from './schemas';

const tag = 'Extensions';

const toSettings = ({ tracking }: Pick<ProjectFacts, 'tracking'>) => ({
  tracking: { transactional: trackingOf([tracking?.transactional]), marketing: trackingOf([tracking?.marketing]) },
});

/** Beyond the 92. */
export const settingsExtensions = [
  endpoint({
    method: 'get',
    path: '/v1/settings',
    operationId: 'getSettings',
    summary: "The project's settings",
    description: 'An extension of this implementation.',
    tag,
    extension: true,
    response: Settings,
    handle: ({ ctx }) => Promise.resolve(toSettings(ctx.project)),
  }),
  endpoint({
    method: 'patch',
    path: '/v1/settings',
    operationId: 'updateSettings',
    summary: "Change the project's settings",
    description:
      'An extension of this implementation. They hold for mail that is accepted from then on, and for pages of campaigns that begin then.',
    tag,
    extension: true,
    body: UpdateSettings,
    response: Settings,
    audit: ({ body }) => (Object.keys(body).length > 0 ? ['settings.update', null] : null),
    handle: async ({ ctx, body }) => {
      await setTracking(ctx.projectId, body.tracking ?? {});
      return toSettings(await getProject(ctx.projectId));
    },
  }),
];

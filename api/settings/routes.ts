import type { ProjectFacts } from '../../src/platform/core';
import { changeSettings, getProject } from '../../src/records/projects';
import { trackingOf } from '../../src/rules/tracking';
import { endpoint } from '../http/endpoint';
import { Settings, UpdateSettings } from './schemas';

const tag = 'Extensions';

const toSettings = ({ name, tracking }: Pick<ProjectFacts, 'name' | 'tracking'>) => ({
  name,
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
      'An extension of this implementation. A change applies to mail that is accepted after it, and to campaign pages that start after it.',
    tag,
    extension: true,
    body: UpdateSettings,
    response: Settings,
    audit: ({ body }) => (Object.keys(body).length > 0 ? ['settings.update', null] : null),
    handle: async ({ ctx, body }) => {
      await changeSettings(ctx.projectId, body);
      return toSettings(await getProject(ctx.projectId));
    },
  }),
];

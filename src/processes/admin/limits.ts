import { readCount } from '../../platform/config';
import { PROJECT_LIMITS, limitOf } from '../../platform/core';
import type { LimitName, LimitSettings } from '../../platform/core';
import { getProject, resetLimits, setLimit } from '../../records/projects';
import type { Project } from '../../records/projects';
import { UsageError, oneOf } from './arguments';
import type { Command } from './command';

const NAMES = Object.keys(PROJECT_LIMITS) as LimitName[];

/** Lists what holds for a project, and what holds for those without limits of their own. */
const listed = (project: Project, config: LimitSettings) =>
  NAMES.map((limit) => ({
    limit,
    value: limitOf(config, project, limit),
    isOwn: project.limits?.[limit] !== undefined,
    default: config[PROJECT_LIMITS[limit]],
    setting: PROJECT_LIMITS[limit],
  }));

/** Returns the value of a limit: what the setting takes, the limit takes. Throws `UsageError`. */
function readValue(limit: LimitName, text: string): number {
  try {
    return readCount(PROJECT_LIMITS[limit], text);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`${limit}: ${error.message}`) : error;
  }
}

/** The operator's commands for what one project may have and do. */
export const LIMITS: readonly Command[] = [
  {
    words: ['limits', 'list'],
    parameters: ['<projectId>'],
    meaning: 'list the limits and the retention of a project',
    run: async ({ args: [projectId = ''] }, { config }) => ({ result: listed(await getProject(projectId), config) }),
  },
  {
    words: ['limits', 'set'],
    parameters: ['<projectId>', '<limit>', '<value>'],
    meaning: 'set a limit for a project, instead of the default',
    check: ({ args: [, limit, value = ''] }) => {
      oneOf('The limit', NAMES, limit);
      readValue(limit as LimitName, value);
    },
    run: async ({ args: [projectId = '', limit = '', value = ''] }, { config }) => {
      await setLimit(projectId, limit as LimitName, readValue(limit as LimitName, value));
      return { result: listed(await getProject(projectId), config), changed: { projectId, action: 'limit.set', subject: limit } };
    },
  },
  {
    words: ['limits', 'reset'],
    parameters: ['<projectId>', '[limit]'],
    meaning: 'return one limit of a project, or all of them, to the default',
    check: ({ args: [, limit] }) => {
      if (limit !== undefined) oneOf('The limit', NAMES, limit);
    },
    run: async ({ args: [projectId = '', limit = null] }, { config }) => {
      await (limit === null ? resetLimits(projectId) : setLimit(projectId, limit as LimitName, null));
      return { result: listed(await getProject(projectId), config), changed: { projectId, action: 'limit.reset', subject: limit } };
    },
  },
];

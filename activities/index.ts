import type { Core } from '../src/platform/core';
import { audienceActivities } from './audience';
import { automationActivities } from './automations';
import { campaignActivities } from './campaigns';
import { orchestrationActivities } from './orchestration';
import { paymentActivities } from './payments';
import { pumpActivities } from './pumps';
import type { Hosts } from './pumps';
import { turnActivities } from './turns';

export interface ActivityDeps extends Hosts {
  readonly core: Core;
}

export const createActivities = ({ core, ...hosts }: ActivityDeps) => ({
  ...orchestrationActivities(core),
  ...automationActivities(core),
  ...audienceActivities(core),
  ...campaignActivities(core),
  ...paymentActivities(core),
  ...pumpActivities(hosts),
  ...turnActivities(core),
});

export type Activities = ReturnType<typeof createActivities>;

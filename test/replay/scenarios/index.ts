import { automationScenarios } from './automations';
import { campaignScenarios } from './campaigns';
import type { Scenario } from './scenario';
import { upkeepScenarios } from './upkeep';

export type { Answer, Scenario, Stage } from './scenario';

/** The paths that histories are recorded of. */
export const SCENARIOS: readonly Scenario[] = [...automationScenarios, ...campaignScenarios, ...upkeepScenarios];

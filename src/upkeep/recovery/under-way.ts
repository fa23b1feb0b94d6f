import { isNudgeOver } from '../../marketing/automations';
import { isCampaignOver, isCampaignRemoved, startIntent, startedCampaigns } from '../../marketing/campaigns';
import { importsUnderWay, isImportOver } from '../../audience/lists';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { StartIntent } from '../../contracts/processes';
import { erasuresUnderWay, isErasureOver } from '../erasure';
import { adopt, sweepUnderWay } from '../../platform/outbox';
import { isRemovalOver } from '../project-removal';
import { listProjects } from '../../records/projects';
import { isWebhookRemoved } from '../../sending/webhooks';

/** Resolves to whether what a workflow carries out is done, by its documents alone. Never called for workflows that do not last. */
async function isOver(intent: StartIntent): Promise<boolean> {
  switch (intent.workflow) {
    case 'campaignSend':
      return isCampaignOver(intent.input);
    case 'campaignRemoval':
      return isCampaignRemoved(intent.input);
    case 'contactImport':
      return isImportOver(intent.input);
    case 'erasure':
      return isErasureOver(intent.input);
    case 'projectRemoval':
      return isRemovalOver(intent.input);
    case 'webhookRemoval':
      return isWebhookRemoved(intent.input);
    case 'automationNudge':
      return isNudgeOver(intent.input);
    default:
      return true;
  }
}

/** Looks, once for each process, for workflows that an earlier release started without a record. */
async function adoptUnderWay(now: Date): Promise<void> {
  const projects = await listProjects();
  const campaigns = await startedCampaigns(projects.map(({ _id }) => _id));
  await adopt([...campaigns.map(startIntent), ...(await importsUnderWay()), ...(await erasuresUnderWay())], now);
}

/** The search above, once it has begun. */
const adoption = perCore((): { done: Promise<void> | null } => ({ done: null }));

/** Makes sure that what lasts runs, wherever it was lost: in Temporal, or in documents that were restored. Resolves to how many it looked at. */
export async function sweepProcesses(core: Pick<Core, 'processes'>, now: Date): Promise<number> {
  const own = adoption(core);
  own.done ??= adoptUnderWay(now);
  await own.done.catch((error: unknown) => {
    own.done = null;
    throw error;
  });
  return sweepUnderWay(core, isOver, now);
}

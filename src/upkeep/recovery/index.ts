import { isApprovalOver } from '../../marketing/approvals';
import { isNudgeOver } from '../../marketing/automations';
import { isCampaignOver, isCampaignRemoved, isSeriesOver } from '../../marketing/campaigns';
import { isSnoozeOver } from '../../audience/contacts';
import { isImportOver } from '../../audience/lists';
import type { Core } from '../../platform/core';
import type { StartIntent } from '../../contracts/processes';
import { isErasureOver } from '../erasure';
import { isOptInOver } from '../../sending/opt-in';
import { sweepUnderWay } from '../../platform/outbox';
import { isRemovalOver } from '../project-removal';
import { isWebhookRemoved } from '../../sending/webhooks';

/** Resolves to whether what a workflow carries out is done, by its documents alone. Never called for workflows that do not last. */
// oxlint-disable-next-line complexity -- one line for each workflow
async function isOver(intent: StartIntent): Promise<boolean> {
  switch (intent.workflow) {
    case 'approval':
      return isApprovalOver(intent.input);
    case 'campaignSend':
      return isCampaignOver(intent.input);
    case 'campaignSeries':
      return isSeriesOver(intent.input);
    case 'campaignRemoval':
      return isCampaignRemoved(intent.input);
    case 'contactImport':
      return isImportOver(intent.input);
    case 'erasure':
      return isErasureOver(intent.input);
    case 'optIn':
      return isOptInOver(intent.input);
    case 'projectRemoval':
      return isRemovalOver(intent.input);
    case 'webhookRemoval':
      return isWebhookRemoved(intent.input);
    case 'snooze':
      return isSnoozeOver(intent.input);
    case 'automationNudge':
      return isNudgeOver(intent.input);
    default:
      return true;
  }
}

/** Ensures that long-lived workflows run, wherever they were lost: in Temporal, or in documents that were restored. Resolves to the number examined. */
export const sweepProcesses = (core: Pick<Core, 'processes'>, now: Date): Promise<number> => sweepUnderWay(core, isOver, now);

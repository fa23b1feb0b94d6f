import type { ClientSession } from 'mongoose';
import { automationSendingFrom } from '../../marketing/automations/of-domains';
import { campaignSendingFrom } from '../../marketing/campaigns/of-domains';
import { AppError } from '../../platform/core/errors';

/** Throws 409 `in_use` while something is about to send from the domain, or is sending. */
export async function refuseWhileUsed(session: ClientSession, projectId: string, domain: string): Promise<void> {
  const campaign = await campaignSendingFrom(session, projectId, domain);
  if (campaign !== null) throw new AppError('in_use', `The campaign “${campaign}” sends from this domain`);
  const automation = await automationSendingFrom(session, projectId, domain);
  if (automation !== null) throw new AppError('in_use', `The workflow “${automation}” sends from this domain`);
}

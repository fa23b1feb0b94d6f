import { invalidState, notFound } from '../../platform/core';
import type { Context } from '../../platform/core';
import { judgeMessage, versionGroup } from '../../rules/certificate';
import type { CertifiedRecipient } from '../../rules/certificate';
import { REPORTED_WITHIN_MS } from '../../sending/deliver';
import { countRecipients, findCampaign, standingPages } from '../campaigns';
import type { Campaign, StandingRecipient } from '../campaigns';
import type { CertificateSource } from './certificate';

/** Resolves to the frozen audience of a campaign. Throws `not_found`, and `invalid_state` once its audience is not kept any longer. */
export async function campaignSource({ projectId }: Pick<Context, 'projectId'>, id: string): Promise<CertificateSource> {
  const campaign = await findCampaign(projectId, id);
  if (!campaign) throw notFound('Campaign');
  const isOver = hasEnded(campaign);
  // Retention removes an audience in steps: a part of it would be a wrong certificate.
  if (campaign.audienceRemovedAt || (isOver && (await countRecipients(campaign)) < campaign.audienceSize)) {
    throw invalidState('The audience of this campaign is no longer stored, so it cannot be certified');
  }
  return { group: 'contentVersion', isOver: () => isOver, pages: () => certified(campaign) };
}

const hasEnded = ({ status, phase }: Campaign): boolean => status === 'sent' || (status === 'cancelled' && phase === null);

async function* certified(campaign: Campaign): AsyncGenerator<readonly CertifiedRecipient[]> {
  for await (const page of standingPages(campaign)) yield page.map(recipientOf);
}

function recipientOf({ row, id, message, status, skipReason }: StandingRecipient): CertifiedRecipient {
  const common = { recipientId: id, contactId: row.contactId };
  if (message === null) {
    const outcome = status === 'skipped' ? 'skipped' : 'pending';
    return { ...common, emailId: null, outcome, reason: skipReason, group: null, attempts: 0, sentAt: null, open: null };
  }
  const { attempts, sentAt = null } = message;
  return {
    ...{ ...common, emailId: row.emailId, group: versionGroup(message), attempts, sentAt },
    ...judgeMessage(message, REPORTED_WITHIN_MS),
  };
}

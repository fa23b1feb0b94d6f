import type { ClientSession } from 'mongoose';
import { domainOf } from '../../platform/addresses';
import { CampaignModel } from './model';
import type { Campaign } from './model';

/** Finds the name of a scheduled or sending campaign from a domain; null when there is none. */
export async function campaignSendingFrom(session: ClientSession, projectId: string, domain: string): Promise<string | null> {
  const running = { projectId, status: { $in: ['scheduled', 'sending'] } } as const;
  const rows = await CampaignModel.find(running, { name: 1, fromEmail: 1 }, { session }).lean<Pick<Campaign, 'name' | 'fromEmail'>[]>();
  return rows.find(({ fromEmail }) => domainOf(fromEmail) === domain)?.name ?? null;
}

import { findContacts } from '../contacts/service';
import type { Context } from '../context';
import { campaignMessages, wasTried } from '../emails/of-campaigns';
import { readCampaign } from './drafts';
import { recipientName } from './ids';
import type { Campaign, CampaignRecipient } from './model';
import { recipientPages } from './walk';

export type RecipientStatus = 'pending' | 'sent' | 'skipped';

export interface RecipientView {
  readonly id: string;
  readonly campaignId: string;
  /** Null when the contact is gone. */
  readonly contactId: string | null;
  readonly email: string;
  /** Null until there is a message. */
  readonly emailId: string | null;
  readonly status: RecipientStatus;
  readonly variant: CampaignRecipient['variant'];
  readonly createdAt: Date;
}

const PAGE = 1_000;

/**
 * Up to `limit` recipients, of one status where it is given. All rows of a campaign are of the same instant: they come in the order of their ids,
 * the highest first, which is a random one. Throws `not_found`.
 */
export async function listRecipients(
  ctx: Context,
  id: string,
  status: RecipientStatus | null,
  limit: number,
): Promise<readonly RecipientView[]> {
  const campaign = await readCampaign(ctx, id);
  // In any other state nobody waits: all recipients would be read to find none.
  if (status === 'pending' && campaign.status !== 'sending') return [];
  const found: RecipientView[] = [];
  const pages = recipientPages({
    campaignId: id,
    projectId: ctx.projectId,
    size: status === null ? limit : PAGE,
    // Messages go out in the other order: of a campaign that is being sent, what is sent is found soonest from the beginning.
    direction: status === 'sent' && campaign.status === 'sending' ? 1 : -1,
    // Until its workflow has ended, a cancelled campaign's rows do not say yet who is skipped.
    skipped: status === 'skipped' && campaign.status !== 'cancelled',
  });
  for await (const rows of pages) {
    found.push(...(await views(campaign, rows)).filter((view) => status === null || view.status === status));
    if (found.length >= limit) break;
  }
  const shown = found.slice(0, limit).sort((one, other) => (one.id < other.id ? 1 : -1));
  return withContacts(campaign, shown);
}

async function views(campaign: Campaign, rows: readonly CampaignRecipient[]): Promise<readonly RecipientView[]> {
  const messages = await campaignMessages(
    campaign.projectId,
    campaign._id,
    rows.map(({ emailId }) => emailId),
  );
  return rows.map((row) => {
    const message = messages.get(row.emailId);
    const tried = message !== undefined && wasTried(message);
    return {
      id: recipientName(row.campaignId, row._id),
      campaignId: row.campaignId,
      contactId: row.contactId,
      email: row.email,
      emailId: tried ? row.emailId : null,
      status: tried ? 'sent' : row.status === 'skipped' || campaign.status === 'cancelled' ? 'skipped' : 'pending',
      variant: row.variant,
      createdAt: row.createdAt,
    };
  });
}

/** A contact that was deleted is nobody, also when its address came back later. */
async function withContacts({ startedAt }: Campaign, found: readonly RecipientView[]): Promise<readonly RecipientView[]> {
  const contacts = await findContacts(found.flatMap(({ contactId }) => contactId ?? []));
  const isThere = (contactId: string | null): boolean => {
    const contact = contacts.get(contactId ?? '');
    return contact !== undefined && startedAt !== null && contact.createdAt <= startedAt;
  };
  return found.map((view) => (isThere(view.contactId) ? view : { ...view, contactId: null }));
}

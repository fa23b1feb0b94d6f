import { asOfContent, findCampaign, giveUpClaims, takePages, workersWithPages } from '../campaigns';
import type { Campaign } from '../campaigns';
import { findContacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import type { Attempt, CampaignClaim, Email } from '../../records/emails';
import { getProject } from '../../records/projects';
import type { CampaignWork } from '../../sending/deliver';
import { campaignEmail, contentsOf, messageFor, outgoingOf } from './mail';
import { sendPage } from './page';

/** The parts of campaign mail that delivery calls. */
export const CAMPAIGN_WORK: CampaignWork = {
  sendPage,
  workers: workersWithPages,
  takePages,
  giveUp: ({ campaignId, _id }) => inTransaction((session) => giveUpClaims({ campaignId, _id }, session)),
  messagesOf,
};

/**
 * Resolves to the messages of a lost worker's claim, but for `written` ones, as they go into the queue: without a contact where that is gone. They are due since
 * their claim, so that after a restore the fence recognizes older ones.
 */
async function messagesOf(core: Core, claim: CampaignClaim, written: ReadonlySet<string>): Promise<readonly Email[]> {
  const campaign = await findCampaign(claim.projectId, claim.campaignId);
  if (!campaign) return [];
  const contacts = await contactsOf(claim, campaign);
  const outgoing = await outgoingOf(core, await getProject(claim.projectId), asOfContent(campaign, claim.contents[0]));
  const attempt: Attempt = { id: claim._id, worker: claim.worker, at: claim.at, lost: true };
  const charge = claim.month === null ? null : { month: claim.month, credits: 1 };
  const rows: Email[] = [];
  for (const [at, emailId] of claim.emails.entries()) {
    if (written.has(emailId)) continue;
    const contactId = claim.contacts[at] ?? '';
    const recipient = { emailId, email: claim.to[at] ?? '' };
    const contact = contacts.get(contactId) ?? { ...NO_DATA, _id: contactId };
    const contents = await contentsOf(contentIdAt(claim, at));
    const { message } = messageFor(core, outgoing, { recipient, contact }, contents, claim.at);
    rows.push({
      ...campaignEmail(outgoing, message, charge, attempt),
      status: 'queued',
      dueAt: claim.at,
      ...transportAt(claim, at),
      ...(!contacts.has(contactId) && { contactId: null }),
    });
  }
  return rows;
}

function transportAt({ transports }: CampaignClaim, at: number): Pick<Email, 'transport'> {
  const name = transports?.[at] ?? transports?.[0];
  return name === undefined ? {} : { transport: { name } };
}

const contentIdAt = ({ contents }: CampaignClaim, at: number): string => contents[at] ?? contents[0] ?? '';

const NO_DATA = { firstName: null, lastName: null, locale: null, data: {} };

/** Loads the contacts that still exist; one that was deleted and created again after the start does not count. */
async function contactsOf({ projectId, contacts }: CampaignClaim, { startedAt }: Campaign): Promise<ReadonlyMap<string, Contact>> {
  const found = await findContacts(projectId, contacts);
  return startedAt ? new Map([...found].filter(([, { createdAt }]) => createdAt <= startedAt)) : found;
}

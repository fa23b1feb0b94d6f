import { domainOf } from '../address';
import type { Campaign, CampaignRecipient } from '../campaigns/page-source';
import type { Contact } from '../contacts/service';
import type { Core, ProjectFacts } from '../context';
import { shardOf } from '../contracts/delivery';
import { sendersOf } from '../domains/service';
import type { SenderHosts } from '../domains/service';
import { contentById } from '../emails/content';
import { messageIdOf } from '../emails/message-id';
import type { Attempt, Email } from '../emails/model';
import type { LinkedMessage } from '../emails/urls';
import { PRIORITY_OF } from '../emails/priority';
import { toEmail } from '../emails/row';
import { TemplateRenderError } from '../render';
import type { CompiledContent, Values, Written } from '../render';
import { isSimulated } from '../rules/simulator';
import { mailOf, renderMail } from './compose';
import type { WireMail } from './compose';
import { finalFailure } from './outcome';
import type { Outcome } from './outcome';

export interface Addressed {
  readonly recipient: CampaignRecipient;
  readonly contact: Contact;
}

/** What a message is made of on the part of its recipient. */
interface Reader {
  readonly recipient: Pick<CampaignRecipient, 'emailId' | 'email'>;
  readonly contact: Pick<Contact, '_id' | 'firstName' | 'lastName' | 'locale' | 'data'>;
}

/** A campaign with the hosts that its messages name. */
export interface Outgoing {
  readonly campaign: Campaign;
  readonly hosts: SenderHosts;
}

export interface CampaignContents {
  readonly contentId: string;
  readonly content: CompiledContent;
}

/** A message that is ready to be claimed: its row of the ledger, and its bytes or why there are none. */
export interface ReadyMail {
  readonly email: Email;
  readonly made: WireMail | Outcome;
}

const CAMPAIGN_TYPE = 'marketing';

/** Makes a recipient's message. The row says `sending`: it is stored when the message is handed to a connection. */
export async function campaignMail(
  core: Core,
  { campaign, hosts }: Outgoing,
  { recipient, contact }: Reader,
  { contentId, content }: CampaignContents,
  charge: Email['charge'],
  attempt: Attempt,
): Promise<ReadyMail> {
  const { firstName, lastName, locale, data } = contact;
  const values = content.valuesFor({}, { contactId: contact._id, email: recipient.email, firstName, lastName, locale, data });
  const rendered = renderedOrNot(
    core,
    { _id: recipient.emailId, projectId: campaign.projectId, trackingHost: hosts.trackingHost },
    attempt.at,
    content,
    values,
  );
  const email = toEmail({
    _id: recipient.emailId,
    projectId: campaign.projectId,
    shard: shardOf(campaign.projectId),
    priority: PRIORITY_OF.bulk,
    status: 'sending',
    source: 'campaign',
    type: CAMPAIGN_TYPE,
    testMode: campaign.testMode,
    to: recipient.email,
    fromEmail: campaign.fromEmail,
    fromName: campaign.fromName,
    trackingHost: hosts.trackingHost,
    bounceDomain: hosts.bounceDomain,
    replyTo: campaign.replyTo,
    subject: rendered instanceof TemplateRenderError ? '' : rendered.subject,
    contactId: contact._id,
    campaignId: campaign._id,
    contentId,
    values: JSON.stringify(values),
    charge,
    messageId: messageIdOf(recipient.emailId, campaign.fromEmail),
    createdAt: attempt.at,
    attempts: 1,
    attempt,
  });
  if (rendered instanceof TemplateRenderError) return { email, made: finalFailure(email, rendered.message, attempt.at) };
  const needsBytes = !email.testMode && !isSimulated(email.to, core.config.PLATFORM_DOMAIN);
  return { email, made: needsBytes ? await mailOf(core, email, rendered) : NO_BYTES };
}

const NO_HOSTS: SenderHosts = {};

/** Read once for each change of the project's domains. */
export async function hostsOf(core: Core, project: ProjectFacts, { fromEmail }: Campaign): Promise<SenderHosts> {
  return (await sendersOf(core, project)).get(domainOf(fromEmail)) ?? NO_HOSTS;
}

export const contentsOf = async (contentId: string): Promise<CampaignContents> => ({ contentId, content: await contentById(contentId) });

function renderedOrNot(
  core: Core,
  message: LinkedMessage & Pick<Email, 'projectId'>,
  createdAt: Date,
  content: CompiledContent,
  values: Values,
): Written | TemplateRenderError {
  try {
    return renderMail(core, { ...message, type: CAMPAIGN_TYPE, scheduledFor: null, createdAt }, content, values);
  } catch (error) {
    if (error instanceof TemplateRenderError) return error;
    throw error;
  }
}

/** Of a message that meets no transport. */
export const NO_BYTES: WireMail = { envelope: { from: '', to: '' }, message: '' };

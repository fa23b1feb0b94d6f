import { domainOf } from '../../platform/addresses';
import type { Campaign, PageRecipient } from '../campaigns';
import type { Contact } from '../../audience/contacts';
import type { Core, ProjectFacts } from '../../platform/core';
import { shardOf } from '../../contracts/delivery';
import { dkimKeyFor, sendersOf } from '../../sending/domains';
import type { SenderHosts } from '../../sending/domains';
import { PRIORITY_OF, contentById, messageIdOf, toEmail } from '../../records/emails';
import type { Attempt, Email } from '../../records/emails';
import type { DkimKey } from '../../message/dkim';
import type { Envelope } from '../../message/smtp-client';
import { TemplateRenderError } from '../../message/template';
import type { CompiledContent, Values, Written } from '../../message/template';
import { isSimulated } from '../../rules/simulator';
import { envelopeOf, finalFailure, renderMail, signedMail, unsignedMail } from '../../sending/deliver';
import { trackingOf, untrackedOf } from '../../rules/tracking';
import type { Made } from '../../sending/deliver';

export interface Addressed {
  readonly recipient: PageRecipient;
  readonly contact: Reader['contact'];
}

/** What a message is made of on the part of its recipient. */
interface Reader {
  readonly recipient: Pick<PageRecipient, 'emailId' | 'email'>;
  readonly contact: Pick<Contact, '_id' | 'firstName' | 'lastName' | 'locale' | 'data'>;
}

/** A campaign with what its messages have in common: the hosts that they name, and the key that signs them. */
export interface Outgoing {
  readonly campaign: Campaign;
  readonly hosts: SenderHosts;
  readonly untracked: Email['untracked'];
  readonly dkim: DkimKey | null;
}

export interface CampaignContents {
  readonly contentId: string;
  readonly content: CompiledContent;
}

/** A message of a campaign: its row of the ledger, and what its recipient gets to read or why that cannot be said. */
export interface CampaignMessage {
  readonly email: Email;
  readonly rendered: Written | TemplateRenderError;
  /** Undefined of what meets no transport. */
  readonly envelope: Envelope | undefined;
}

const CAMPAIGN_TYPE = 'marketing';

/** Renders a recipient's message. Its row says `sending`: it is stored when the message has been on the wire. */
export function campaignMessage(
  core: Core,
  outgoing: Outgoing,
  { recipient, contact }: Reader,
  { contentId, content }: CampaignContents,
  charge: Email['charge'],
  attempt: Attempt,
): CampaignMessage {
  const { campaign, hosts, untracked } = outgoing;
  const values = valuesOf(content, recipient.email, contact);
  const rendered = renderedFor(core, outgoing, recipient.emailId, attempt.at, content, values);
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
    untracked,
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
  return { email, rendered, envelope: wireOf(core, email, rendered) };
}

/** Where a message goes over the wire; undefined of one that meets no transport. */
function wireOf(core: Core, email: Email, rendered: CampaignMessage['rendered']): Envelope | undefined {
  const meetsNone = rendered instanceof TemplateRenderError || email.testMode || isSimulated(email.to, core.config.PLATFORM_DOMAIN);
  return meetsNone ? undefined : envelopeOf(core, email);
}

/** The message's bytes, made when its turn has come: what waits for its turn is small. Or why there are none. */
export function bytesOf(core: Core, dkim: DkimKey | null, { email, rendered, envelope }: CampaignMessage): Made | Promise<Made> {
  if (rendered instanceof TemplateRenderError) return finalFailure(email, rendered.message, email.createdAt);
  const to = envelope ?? envelopeOf(core, email);
  return dkim ? signedMail(core, email, to, rendered, dkim) : unsignedMail(core, email, to, rendered);
}

const NO_HOSTS: SenderHosts = {};

/** Read once for each change of the project's domains, and once for many messages. */
export async function outgoingOf(core: Core, project: ProjectFacts, campaign: Campaign): Promise<Outgoing> {
  const domain = domainOf(campaign.fromEmail);
  const [senders, dkim] = await Promise.all([sendersOf(core, project), dkimKeyFor(core, project._id, domain)]);
  const untracked = untrackedOf(trackingOf([project.tracking?.[CAMPAIGN_TYPE]]));
  return { campaign, hosts: senders.get(domain) ?? NO_HOSTS, untracked, dkim };
}

export const contentsOf = async (contentId: string): Promise<CampaignContents> => ({ contentId, content: await contentById(contentId) });

/** What a contact's message reads of it. */
export const valuesOf = (content: CompiledContent, email: string, { _id, firstName, lastName, locale, data }: Reader['contact']): Values =>
  content.valuesFor({}, { contactId: _id, email, firstName, lastName, locale, data });

/** What a recipient gets to read, or why that cannot be said. */
export function renderedFor(
  core: Core,
  { campaign: { projectId }, hosts: { trackingHost }, untracked }: Outgoing,
  _id: string,
  createdAt: Date,
  content: CompiledContent,
  values: Values,
): Written | TemplateRenderError {
  try {
    return renderMail(
      core,
      { _id, projectId, trackingHost, untracked, type: CAMPAIGN_TYPE, scheduledFor: null, createdAt },
      content,
      values,
    );
  } catch (error) {
    if (error instanceof TemplateRenderError) return error;
    // A fault of ours: it must not hold up the messages beside it.
    core.log.error({ err: error, emailId: _id }, 'A message could not be rendered');
    return new TemplateRenderError('The message could not be rendered');
  }
}

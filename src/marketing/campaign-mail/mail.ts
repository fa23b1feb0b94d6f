import { domainOf } from '../../platform/addresses';
import { fromNameOf } from '../campaigns';
import type { Campaign, PageRecipient } from '../campaigns';
import type { Contact } from '../../audience/contacts';
import type { Core, ProjectFacts } from '../../platform/core';
import { shardOf } from '../../contracts/delivery';
import { dkimKeyFor, sendersOf } from '../../sending/domains';
import type { SenderHosts } from '../../sending/domains';
import { PRIORITY_OF, contentById, messageIdOf, toEmail } from '../../records/emails';
import type { Attempt, Email } from '../../records/emails';
import type { DkimKey } from '../../message/dkim';
import { TemplateRenderError } from '../../message/template';
import type { CompiledContent, Values, Written } from '../../message/template';
import { renderMail } from '../../sending/deliver';
import { trackingOf, untrackedOf } from '../../rules/tracking';
import { limitsOfCampaign } from './limits';

/** A recipient with what placeholders read of the contact. */
export interface Addressed {
  readonly recipient: PageRecipient;
  readonly contact: Reader['contact'];
}

/** The recipient's part of a message. */
interface Reader {
  readonly recipient: Pick<PageRecipient, 'emailId' | 'email'>;
  readonly contact: Pick<Contact, '_id' | 'firstName' | 'lastName' | 'locale' | 'data'>;
}

/** A campaign with what its messages share: the hosts in their links, and the key that signs them. */
export interface Outgoing {
  readonly campaign: Campaign;
  readonly hosts: SenderHosts;
  readonly untracked: Email['untracked'];
  /** Null when its domain may not send any more. */
  readonly dkim: DkimKey | null;
  /** Undefined where none hold. */
  readonly limits: Email['limits'];
}

export interface CampaignContents {
  readonly contentId: string;
  readonly content: CompiledContent;
}

export const CAMPAIGN_TYPE = 'marketing';

/** Renders a recipient's message. Returns its row of the ledger, and its text or why it cannot be rendered. */
export function campaignMessage(
  core: Core,
  outgoing: Outgoing,
  reader: Reader,
  { contentId, content }: CampaignContents,
  charge: Email['charge'],
  attempt: Attempt,
): { readonly email: Email; readonly rendered: Written | TemplateRenderError } {
  const { emailId, email: to } = reader.recipient;
  const values = valuesOf(content, to, reader.contact);
  const rendered = renderedFor(core, outgoing, emailId, attempt.at, content, values);
  const own = { contentId, subject: subjectOf(rendered), values: JSON.stringify(values) };
  return { email: campaignEmail(outgoing, reader, own, charge, attempt), rendered };
}

export const subjectOf = (rendered: Written | TemplateRenderError): string =>
  rendered instanceof TemplateRenderError ? '' : rendered.subject;

/** Returns a recipient's message as the ledger has it while it is sent: its row is stored after the message has been on the wire. */
export const campaignEmail = (
  { campaign, hosts, untracked, limits }: Outgoing,
  { recipient, contact }: Reader,
  own: Pick<Email, 'contentId' | 'subject' | 'values'>,
  charge: Email['charge'],
  attempt: Attempt,
): Email =>
  toEmail({
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
    fromName: fromNameOf(campaign, own.contentId),
    untracked,
    trackingHost: hosts.trackingHost,
    bounceDomain: hosts.bounceDomain,
    replyTo: campaign.replyTo,
    subject: own.subject,
    contactId: contact._id,
    campaignId: campaign._id,
    topic: campaign.topic ?? undefined,
    limits,
    contentId: own.contentId,
    values: own.values,
    charge,
    messageId: messageIdOf(recipient.emailId, campaign.fromEmail),
    createdAt: attempt.at,
    attempts: 1,
    attempt,
  });

const NO_HOSTS: SenderHosts = {};

/** Loads what a campaign's messages share, once for each change of the project's domains. */
export async function outgoingOf(core: Core, project: ProjectFacts, campaign: Campaign): Promise<Outgoing> {
  const domain = domainOf(campaign.fromEmail);
  const [senders, dkim] = await Promise.all([sendersOf(core, project), dkimKeyFor(core, project._id, domain)]);
  const untracked = untrackedOf(trackingOf([project.tracking?.[CAMPAIGN_TYPE]]));
  const rules = limitsOfCampaign(campaign, project);
  const limits = rules.length > 0 ? { since: campaign.startedAt ?? campaign.createdAt, rules } : undefined;
  return { campaign, hosts: senders.get(domain) ?? NO_HOSTS, untracked, dkim, limits };
}

/** Loads the compiled content under an id. */
export const contentsOf = async (contentId: string): Promise<CampaignContents> => ({ contentId, content: await contentById(contentId) });

/** Collects the values that a message reads of its contact. */
export const valuesOf = (content: CompiledContent, email: string, { _id, firstName, lastName, locale, data }: Reader['contact']): Values =>
  content.valuesFor({}, { contactId: _id, email, firstName, lastName, locale, data });

/** Renders a recipient's text, or returns why it cannot be rendered. */
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
    // A fault of the platform, which must not hold up other messages.
    core.log.error({ err: error, emailId: _id }, 'A message could not be rendered');
    return new TemplateRenderError('The message could not be rendered');
  }
}

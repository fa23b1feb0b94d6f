import { domainOf } from '../../platform/addresses';
import type { Campaign, PageRecipient } from '../campaigns';
import type { Contact } from '../../audience/contacts';
import type { Core, ProjectFacts } from '../../platform/core';
import { shardOf } from '../../contracts/delivery';
import { dkimKeyFor, sendersOf } from '../../sending/domains';
import type { SenderHosts } from '../../sending/domains';
import { PRIORITY_OF, contentById, messageIdOf, toEmail } from '../../records/emails';
import type { Attempt, Email, Outcome } from '../../records/emails';
import type { DkimKey } from '../../message/dkim';
import { TemplateRenderError } from '../../message/template';
import type { CompiledContent, Values, Written } from '../../message/template';
import { isSimulated } from '../../rules/simulator';
import { envelopeOf, finalFailure, renderMail, signedMail, unverifiedFailure } from '../../sending/deliver';
import type { OwnedEnvelope } from '../../sending/deliver';
import { trackingOf, untrackedOf } from '../../rules/tracking';
import { limitsOfCampaign } from './turns';

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

/** A message of a campaign: its row of the ledger, and its rendered text or why it cannot be rendered. */
export interface CampaignMessage {
  readonly email: Email;
  readonly rendered: Written | TemplateRenderError;
  /** Undefined for a message that no transport gets. */
  readonly envelope: OwnedEnvelope | undefined;
}

const CAMPAIGN_TYPE = 'marketing';

/** Renders a recipient's message. Its row has the status `sending`: it is stored after the message has been on the wire. */
export function campaignMessage(
  core: Core,
  outgoing: Outgoing,
  { recipient, contact }: Reader,
  { contentId, content }: CampaignContents,
  charge: Email['charge'],
  attempt: Attempt,
): CampaignMessage {
  const { campaign, hosts, untracked, limits } = outgoing;
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
    topic: campaign.topic ?? undefined,
    limits,
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

/** Returns a message's envelope; undefined when no transport gets the message. */
function wireOf(core: Core, email: Email, rendered: CampaignMessage['rendered']): OwnedEnvelope | undefined {
  const meetsNone = rendered instanceof TemplateRenderError || email.testMode || isSimulated(email.to, core.config.PLATFORM_DOMAIN);
  return meetsNone ? undefined : envelopeOf(core, email);
}

/** Composes the message's bytes just before it is sent, so that waiting messages stay small; or returns the outcome when that fails. */
export function bytesOf(core: Core, dkim: DkimKey | null, { email, rendered }: CampaignMessage): string | Outcome | Promise<string> {
  if (rendered instanceof TemplateRenderError) return finalFailure(email, rendered.message, email.createdAt);
  return dkim ? signedMail(core, email, rendered, dkim) : unverifiedFailure(email, email.createdAt);
}

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

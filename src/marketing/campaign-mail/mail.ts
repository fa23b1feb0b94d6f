import { domainOf } from '../../platform/addresses';
import { fromNameOf } from '../campaigns';
import type { Campaign, PageRecipient } from '../campaigns';
import type { Contact } from '../../audience/contacts';
import type { Core, ProjectFacts, Context } from '../../platform/core';
import { shardOf } from '../../contracts/delivery';
import { dkimKeyFor, sendersOf } from '../../sending/domains';
import type { SenderHosts } from '../../sending/domains';
import { PRIORITY_OF, contentById, messageIdOf, toEmail } from '../../records/emails';
import type { Attempt, Email } from '../../records/emails';
import type { DkimKey } from '../../message/dkim';
import { TemplateRenderError } from '../../message/template';
import type { CompiledContent, Values, Written, ContactFields } from '../../message/template';
import { renderMail, mailScratch, outgoingMail } from '../../sending/deliver';
import { trackingOf, untrackedOf } from '../../rules/tracking';
import { inTransaction } from '../../platform/mongo';
import { LimitBook } from '../../records/person-limits';
import { limitsOf } from '../../rules/limits-of-mail';
import { afterWaiting } from '../../rules/person-limits';
import type { LimitDetail, PersonLimit } from '../../rules/person-limits';
import { newId } from '../../platform/core';
import { composeMail, textOf } from '../../message/mime';
import type { AlikeMessage } from './alike';

/** A reader of a message, with what placeholders read of the contact. */
export interface Reader {
  readonly recipient: Pick<PageRecipient, 'emailId' | 'email'>;
  readonly contact: Pick<Contact, '_id' | 'firstName' | 'lastName' | 'locale' | 'data'>;
}

/** The same for a recipient of a page. */
export interface Addressed extends Reader {
  readonly recipient: PageRecipient;
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

/** Renders a recipient's message. Returns what of it is its own, and its text or why it cannot be rendered. */
export function messageFor(
  core: Core,
  outgoing: Outgoing,
  addressed: Reader,
  { contentId, content }: CampaignContents,
  createdAt: Date,
): { readonly message: AlikeMessage; readonly rendered: Written | TemplateRenderError } {
  const { emailId, email } = addressed.recipient;
  const { _id: contactId, firstName, lastName, locale, data } = addressed.contact;
  const values = content.valuesFor({}, { contactId, email, firstName, lastName, locale, data });
  const rendered = renderedFor(core, outgoing, emailId, createdAt, content, values);
  const subject = rendered instanceof TemplateRenderError ? '' : rendered.subject;
  const messageId = messageIdOf(emailId, outgoing.campaign.fromEmail);
  return { message: { addressed, contentId, subject, values: JSON.stringify(values), messageId }, rendered };
}

/** Returns a recipient's message as the ledger has it while it is sent: its row is stored after the message has been on the wire. */
export const campaignEmail = (
  { campaign, hosts, untracked, limits }: Outgoing,
  {
    addressed: { recipient, contact },
    contentId,
    subject,
    values,
  }: Pick<AlikeMessage, 'addressed'> & Pick<Email, 'contentId' | 'subject' | 'values'>,
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
    fromName: fromNameOf(campaign, contentId),
    untracked,
    trackingHost: hosts.trackingHost,
    bounceDomain: hosts.bounceDomain,
    replyTo: campaign.replyTo,
    subject,
    contactId: contact._id,
    campaignId: campaign._id,
    topic: campaign.topic ?? undefined,
    limits,
    contentId,
    values,
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

/** Renders a recipient's text, or returns why it cannot be rendered. */
function renderedFor(
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

/** Recipients by what their limits say. */
interface Limited {
  /** Their messages count from now on, and go. */
  readonly open: readonly Addressed[];
  readonly reached: readonly { readonly id: string; readonly detail: LimitDetail }[];
  /** When the first one of those who wait may be asked for again; null when none waits. */
  readonly laterAt: Date | null;
}

/** Lists the limits that hold for the messages of a campaign. */
const limitsOfCampaign = ({ testMode, topic, sendOnce }: Campaign, project: ProjectFacts): readonly PersonLimit[] =>
  limitsOf({ type: 'marketing', source: 'campaign', topicId: topic?.topicId ?? null, testMode, sendOnce }, project.frequencyCaps);

/**
 * Takes the places of recipients in the limits of a campaign. Who waits for a place stays pending, and is asked for again; who has a place from an earlier
 * look keeps it. Asks nothing where there are no limits.
 */
export async function withinLimits(campaign: Campaign, project: ProjectFacts, asked: readonly Addressed[]): Promise<Limited> {
  const limits = limitsOfCampaign(campaign, project);
  if (limits.length === 0 || asked.length === 0) return { open: asked, reached: [], laterAt: null };
  return inTransaction(async (session) => {
    const now = new Date();
    const left = afterWaiting(limits, campaign.startedAt ?? now, now);
    const limitedOf = ({ contact }: Addressed) => ({ of: contact._id, limits: left });
    const book = await LimitBook.read(session, project._id, asked.map(limitedOf), now);
    const open: Addressed[] = [];
    const reached: { readonly id: string; readonly detail: LimitDetail }[] = [];
    const later: number[] = [];
    for (const one of asked) {
      const { _id, emailId: id } = one.recipient;
      // What others reserved since a recipient took a place must not push that recipient out of it.
      const mayKeep = book.isCommitted(limitedOf(one), id) && book.mayGoNow(limitedOf(one), id);
      const sendTime = mayKeep ? { at: now } : book.sendTime(limitedOf(one), now, { id });
      if ('reached' in sendTime) reached.push({ id: _id, detail: sendTime.detail });
      else if (sendTime.at > now) later.push(sendTime.at.getTime());
      else {
        book.take(limitedOf(one), { id, at: now, campaignId: campaign._id });
        open.push(one);
      }
    }
    await book.write();
    return { open, reached, laterAt: later.length > 0 ? new Date(Math.min(...later)) : null };
  });
}

/** A message of a campaign as one reader would get it. */
export interface Specimen {
  readonly html: string;
  readonly text: string;
  /** The composed message, one character a byte, signed where its domain is verified. */
  readonly message: string;
}

/** Composes a message of a campaign for one reader, as it would be sent now; it is neither stored nor sent. Throws TemplateRenderError. */
export async function specimenOf(
  { core, project }: Context,
  campaign: Campaign,
  content: CompiledContent,
  fields: ContactFields,
): Promise<Specimen> {
  const outgoing = await outgoingOf(core, project, campaign);
  const now = new Date();
  const { email: to, contactId, ...contact } = fields;
  const recipient = { emailId: newId('em', now.getTime()), email: to };
  const values = content.valuesFor({}, fields);
  const addressed = { recipient, contact: { _id: contactId ?? '', ...contact } };
  const draft = { addressed, contentId: null, subject: '', values: JSON.stringify(values) };
  const attempt = { id: 'specimen', worker: 'specimen', at: now };
  const email = campaignEmail(outgoing, draft, null, attempt);
  const rendered = renderMail(core, email, content, values);
  const message = await composeMail(outgoingMail(core, email, rendered, [], outgoing.dkim), mailScratch(core));
  return { html: textOf(rendered.html), text: textOf(rendered.text), message };
}

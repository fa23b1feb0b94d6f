import { domainOf } from '../../platform/addresses';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { dkimKeyFor } from '../domains';
import {
  ClickLinks,
  bounceAddress,
  clickUrl,
  contentOf,
  feedbackToken,
  loadAttachments,
  openPixelUrl,
  systemValues,
  unsubscribeAddress,
  unsubscribeUrl,
} from '../../records/emails';
import type { Email, LinkedMessage } from '../../records/emails';
import type { DkimKey } from '../../message/dkim';
import type { Envelope } from '../../message/smtp-client';
import { AlikeMail, MailScratch, composeMail, composePlainMail } from '../../message/mime';
import type { PlainMail } from '../../message/mime';
import type { CompiledContent, Values, Written } from '../../message/template';
import type { Tracked } from '../../contracts/tracking';

type Composed = Pick<Written, 'html' | 'text'>;
type Composer = Pick<Core, 'config' | 'secrets'>;

/** Returns the buffers in which this process composes messages. */
export const mailScratch = perCore(() => new MailScratch());

export interface WireMail {
  readonly envelope: Envelope;
  /** One character a byte. */
  readonly message: string;
}

/** Renders a message for the wire from what was stored at its acceptance, so that every attempt sends the same. Throws when that fails. */
export async function wireMail(core: Composer, email: Email): Promise<WireMail> {
  const content = await contentOf(email);
  const rendered = renderMail(core, email, content, JSON.parse(email.values) as Values);
  return signedMail(core, email, envelopeOf(core, email), rendered, await dkimKeyFor(core, email.projectId, domainOf(email.fromEmail)));
}

type Addressed = LinkedMessage & Pick<Email, 'projectId' | 'type' | 'scheduledFor' | 'createdAt' | 'untracked'>;

/** Renders the text of a message, with counted links and the open pixel where it is tracked. */
export function renderMail(core: Composer, email: Addressed, content: CompiledContent, values: Values): Written {
  const links = new ClickLinks(core, email, email.projectId, content);
  return content.write(values, systemValues(core, email), {
    trackLink: follows(email, 'clicks') ? (url, isShared) => (isShared ? links.to(url) : clickUrl(core, email, url)) : null,
    pixelUrl: follows(email, 'opens') ? openPixelUrl(core, email) : null,
    unsubscribeFooter: email.type === 'marketing',
  });
}

const follows = ({ untracked }: Pick<Email, 'untracked'>, what: Tracked): boolean => untracked?.includes(what) !== true;

/** Makes the envelope: the recipient and the address to which bounces return. */
export const envelopeOf = (core: Composer, email: Pick<Email, '_id' | 'to' | 'bounceDomain'>): Envelope => ({
  from: bounceAddress(core, email),
  to: email.to,
});

/** Composes a message for the wire, signed with a key of its domain if there is one. */
export async function signedMail(
  core: Composer,
  email: Email,
  envelope: Envelope,
  rendered: Composed,
  dkim: DkimKey | null,
): Promise<WireMail> {
  const attachments = email.attachments.length > 0 ? await loadAttachments(email) : [];
  const message = await composeMail({ ...plainMail(core, email, rendered), attachments, dkim }, mailScratch(core));
  return { envelope, message };
}

/** Composes, without waiting, a message that has no attachments and whose domain has no key. */
export const unsignedMail = (core: Composer, email: Email, envelope: Envelope, rendered: Composed): WireMail => ({
  envelope,
  message: composePlainMail(plainMail(core, email, rendered), mailScratch(core)),
});

export const plainMail = (core: Composer, email: Email, { html, text }: Composed): PlainMail => ({
  from: { address: email.fromEmail, name: email.fromName },
  to: { address: email.to, name: email.toName },
  visible: email.copied,
  replyTo: email.replyTo,
  replyToName: email.replyToName,
  subject: email.subject,
  date: email.scheduledFor ?? email.createdAt,
  messageId: email.messageId,
  headers: [...(email.headers ?? []), ...platformHeaders(core, email)],
  html,
  text,
});

/** Composes what all messages of a campaign share, from one of them. */
export const alikeMail = (core: Composer, email: Email): AlikeMail =>
  new AlikeMail({
    from: { address: email.fromEmail, name: email.fromName },
    replyTo: email.replyTo,
    date: email.createdAt,
    headers: platformHeaders(core, email).map(([name, value]) => [name, name === UNSUBSCRIBE ? null : value]),
  });

/** Makes the header fields that differ between the messages of a campaign. */
export const ownHeaders = (core: Composer, message: LinkedMessage): readonly string[] => [unsubscribeValue(core, message)];

const UNSUBSCRIBE = 'List-Unsubscribe';
const unsubscribeValue = (core: Composer, message: LinkedMessage): string =>
  `<${unsubscribeUrl(core, message)}>, <mailto:${unsubscribeAddress(core, message._id)}?subject=unsubscribe>`;

/** Makes Feedback-ID for all mail (subject, project, type, sender); for marketing mail also the unsubscribe pair of RFC 2369 and RFC 8058. */
function platformHeaders(core: Composer, email: Email): readonly (readonly [string, string])[] {
  // Copies share a Message-ID: without this, a report that has nothing else left could be about any of them.
  const subject = email.copied ? feedbackToken(core, email) : (email.campaignId ?? email.workflowId ?? email.templateId ?? 'send');
  const feedback = ['Feedback-ID', `${subject}:${email.projectId}:${email.type}:lettermill`] as const;
  if (email.type !== 'marketing') return [feedback];
  return [feedback, [UNSUBSCRIBE, unsubscribeValue(core, email)], ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click']];
}

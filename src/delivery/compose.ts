import { domainOf } from '../address';
import type { Core } from '../context';
import { dkimKeyFor } from '../domains/service';
import { contentOf, loadAttachments } from '../emails/content';
import type { Email } from '../emails/model';
import { ClickLinks, clickUrl } from '../emails/click-links';
import { bounceAddress, openPixelUrl, unsubscribeAddress, unsubscribeUrl } from '../emails/urls';
import type { LinkedMessage } from '../emails/urls';
import { systemValues } from '../emails/view-data';
import type { DkimKey } from '../mail/dkim';
import { composeMail } from '../mail/mime';
import type { CompiledContent, Values, Written } from '../render';

type Composed = Pick<Written, 'html' | 'text'>;
type Composer = Pick<Core, 'config' | 'secrets'>;

export interface WireMail {
  readonly envelope: { readonly from: string; readonly to: string };
  /** One character a byte. */
  readonly message: string;
}

/** A message for the wire: rendered from what was stored at its acceptance, so that every attempt sends the same. Throws when it cannot be made. */
export async function wireMail(core: Composer, email: Email): Promise<WireMail> {
  const content = await contentOf(email);
  return mailOf(core, email, renderMail(core, email, content, JSON.parse(email.values) as Values));
}

type Addressed = LinkedMessage & Pick<Email, 'projectId' | 'type' | 'scheduledFor' | 'createdAt'>;

/** What the recipient of a message gets to read, with links and picture that count. */
export function renderMail(core: Composer, email: Addressed, content: CompiledContent, values: Values): Written {
  const links = new ClickLinks(core, email, email.projectId, content);
  return content.write(values, systemValues(core, email), {
    trackLink: (url, isShared) => (isShared ? links.to(url) : clickUrl(core, email, url)),
    pixelUrl: openPixelUrl(core, email),
    unsubscribeFooter: email.type === 'marketing',
  });
}

/** A message as it goes over the wire, signed where its domain has a key. */
export async function mailOf(core: Composer, email: Email, rendered: Composed): Promise<WireMail> {
  return signedMail(core, email, rendered, await dkimKeyFor(core, email.projectId, domainOf(email.fromEmail)));
}

/** The same with a key that is at hand, or with none. */
export async function signedMail(core: Composer, email: Email, { html, text }: Composed, dkim: DkimKey | null): Promise<WireMail> {
  const message = await composeMail({
    from: { address: email.fromEmail, name: email.fromName },
    to: { address: email.to, name: email.toName },
    replyTo: email.replyTo,
    subject: email.subject,
    date: email.scheduledFor ?? email.createdAt,
    messageId: email.messageId,
    headers: [...(email.headers ?? []), ...platformHeaders(core, email)],
    html,
    text,
    attachments: email.attachments.length > 0 ? await loadAttachments(email) : [],
    dkim,
  });
  return { envelope: { from: bounceAddress(core, email), to: email.to }, message };
}

/** Feedback-ID for all mail (what it belongs to, whose it is, its type, who sends it); the pair of RFC 2369 and RFC 8058 for marketing mail. */
function platformHeaders(core: Composer, email: Email): readonly (readonly [string, string])[] {
  const subject = email.campaignId ?? email.workflowId ?? email.templateId ?? 'send';
  const feedback = ['Feedback-ID', `${subject}:${email.projectId}:${email.type}:lettermill`] as const;
  if (email.type !== 'marketing') return [feedback];
  return [
    feedback,
    ['List-Unsubscribe', `<${unsubscribeUrl(core, email)}>, <mailto:${unsubscribeAddress(core, email._id)}?subject=unsubscribe>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}

import { domainOf } from '../address';
import type { Core } from '../context';
import { dkimKeyFor } from '../domains/service';
import { contentOf, loadAttachments } from '../emails/content';
import type { Email } from '../emails/model';
import { bounceAddress, clickUrl, openPixelUrl, unsubscribeAddress, unsubscribeUrl } from '../emails/urls';
import type { LinkedMessage } from '../emails/urls';
import { systemValues } from '../emails/view-data';
import type { DkimKey } from '../mail/dkim';
import { composeMail } from '../mail/mime';
import type { CompiledContent, Rendered, Values } from '../render';

type Composed = Pick<Rendered, 'html' | 'text' | 'fixed'>;
type Composer = Pick<Core, 'config' | 'secrets'>;

export interface WireMail {
  readonly envelope: { readonly from: string; readonly to: string };
  readonly bytes: Buffer;
}

/** The bytes of a message: rendered from what was stored at its acceptance, so that every attempt sends the same. Throws when it cannot be made. */
export async function wireMail(core: Composer, email: Email): Promise<WireMail> {
  const content = await contentOf(email);
  return mailOf(core, email, renderMail(core, email, content, JSON.parse(email.values) as Values));
}

type Addressed = LinkedMessage & Pick<Email, 'type' | 'scheduledFor' | 'createdAt'>;

/** What the recipient of a message gets to read, with links and picture that tell of it. */
export const renderMail = (core: Composer, email: Addressed, content: CompiledContent, values: Values): Rendered =>
  content.render(values, systemValues(core, email), {
    trackLink: (url) => clickUrl(core, email, url),
    pixelUrl: openPixelUrl(core, email),
    unsubscribeFooter: email.type === 'marketing',
  });

/** A message as it goes over the wire, signed where its domain has a key. */
export async function mailOf(core: Composer, email: Email, rendered: Composed): Promise<WireMail> {
  return signedMail(core, email, rendered, await dkimKeyFor(core, email.projectId, domainOf(email.fromEmail)));
}

/** The same with a key that is at hand, or with none. */
export async function signedMail(core: Composer, email: Email, { html, text, fixed }: Composed, dkim: DkimKey | null): Promise<WireMail> {
  const bytes = await composeMail({
    from: { address: email.fromEmail, name: email.fromName },
    to: { address: email.to, name: email.toName },
    replyTo: email.replyTo,
    subject: email.subject,
    date: email.scheduledFor ?? email.createdAt,
    messageId: email.messageId,
    headers: [...(email.headers ?? []), ...platformHeaders(core, email)],
    html,
    text,
    fixed,
    attachments: email.attachments.length > 0 ? await loadAttachments(email) : [],
    dkim,
  });
  return { envelope: { from: bounceAddress(core, email), to: email.to }, bytes };
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

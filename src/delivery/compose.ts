import type { Core } from '../context';
import { dkimKeyFor } from '../domains/service';
import { contentOf, loadAttachments } from '../emails/content';
import type { Email } from '../emails/model';
import { bounceAddress, clickUrl, openPixelUrl, unsubscribeAddress } from '../emails/urls';
import { systemValues } from '../emails/view-data';
import { composeMail } from '../mail/mime';
import type { Values } from '../render';

type Composer = Pick<Core, 'config' | 'secrets'>;

export interface WireMail {
  readonly envelope: { readonly from: string; readonly to: string };
  readonly bytes: Buffer;
}

/** The bytes of a message: rendered from what was stored at its acceptance, so that every attempt sends the same. Throws when it cannot be made. */
export async function wireMail(core: Composer, email: Email): Promise<WireMail> {
  const content = await contentOf(email);
  const system = systemValues(core, email);
  const marketing = email.type === 'marketing';
  const { html, text } = content.render(JSON.parse(email.values) as Values, system, {
    trackLink: (url) => clickUrl(core, email._id, url),
    pixelUrl: openPixelUrl(core, email._id),
    unsubscribeFooter: marketing,
  });
  const bytes = await composeMail({
    from: { address: email.fromEmail, name: email.fromName },
    to: { address: email.to, name: email.toName },
    replyTo: email.replyTo,
    subject: email.subject,
    date: email.scheduledFor ?? email.createdAt,
    messageId: email.messageId,
    headers: [...(email.headers ?? []), ...platformHeaders(core, email, system.unsubscribeUrl)],
    html,
    text,
    attachments: email.attachments.length > 0 ? await loadAttachments(email) : [],
    dkim: await dkimKeyFor(core, email.projectId, email.fromEmail.slice(email.fromEmail.lastIndexOf('@') + 1)),
  });
  return { envelope: { from: bounceAddress(core, email._id), to: email.to }, bytes };
}

/** Feedback-ID for all mail; the pair of RFC 2369 and RFC 8058 for marketing mail. */
function platformHeaders(core: Composer, email: Email, unsubscribeUrl: string): readonly (readonly [string, string])[] {
  const subject = email.campaignId ?? email.workflowId ?? email.templateId ?? 'send';
  const feedback = ['Feedback-ID', `${subject}:${email.projectId}:${email.source}:lettermill`] as const;
  if (email.type !== 'marketing') return [feedback];
  return [
    feedback,
    ['List-Unsubscribe', `<${unsubscribeUrl}>, <mailto:${unsubscribeAddress(core, email._id)}?subject=unsubscribe>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}

import { prepareOwnMail } from '../accept';
import type { SendMessage } from '../accept';
import { timedId } from '../../platform/core';
import type { Context } from '../../platform/core';
import { senderName } from '../../rules/brand';
import { languageOfTag } from '../../rules/languages';
import type { Language } from '../../rules/languages';
import { namesOf } from './context';
import { confirmUrl } from './link';
import type { OptIn } from './model';
import { CONFIRMATION_TEXTS } from './texts';

type Content = Pick<SendMessage, 'subject' | 'html' | 'text'>;

/** Returns the platform's own confirmation. All that is specific to a person is in values: messages in the same language share one content. */
function ownContent(language: Language): Content {
  const { subject, ask, topics, button, ignore } = CONFIRMATION_TEXTS[language];
  return {
    subject,
    html: `<!doctype html>
<html lang="${language}"><body style="font:16px/1.5 sans-serif">
<p>${ask}</p>
{{#if topics}}<p>${topics}</p><ul>{{#each topics}}<li>{{this}}</li>{{/each}}</ul>{{/if}}
{{#if consentText}}<p>{{consentText}}</p>{{/if}}
<p><a href="{{confirmUrl}}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1b4fbd;color:#fff;text-decoration:none">${button}</a></p>
<p style="color:#666">${ignore}</p>
</body></html>`,
    text: `${ask}

{{#if topics}}${topics}
{{#each topics}}- {{this}}
{{/each}}
{{/if}}{{#if consentText}}{{consentText}}

{{/if}}${button}: {{confirmUrl}}

${ignore}
`,
  };
}

type Mailed = Pick<OptIn, 'email' | 'topics' | 'locale' | 'text' | 'templateId'>;

const NO_CONTENT: Content = { subject: null, html: null, text: null };

async function messageOf(ctx: Context, { email, templateId, text: consentText, ...optIn }: Mailed, url: string): Promise<SendMessage> {
  const isOwn = templateId === null;
  const content = isOwn ? ownContent((optIn.locale && languageOfTag(optIn.locale)) || 'en') : NO_CONTENT;
  const projectName = senderName(ctx.project);
  return {
    ...content,
    ...{ to: [{ email, name: null }], toMany: false, templateId, type: 'transactional' },
    variables: { confirmUrl: url, projectName, topics: await namesOf(ctx, optIn), consentText },
    ...{ from: null, fromName: isOwn ? projectName : null, replyTo: null, headers: null, attachments: [], sendAt: null },
    createContact: false,
    // Link scanners would open a tracked link.
    tracking: { opens: false, clicks: false },
  };
}

/** Checks that a confirmation can be sent, without storing a message. Throws `send_failed`. */
export async function checkConfirmation(ctx: Context, mailed: Mailed): Promise<void> {
  await prepareOwnMail(ctx, await messageOf(ctx, mailed, `${ctx.core.config.PUBLIC_URL}/c/`), 'em_none');
}

/** Prepares the confirmation that is due. Each has an id of its own, so that none is stored twice. Throws `send_failed`. */
export async function prepareConfirmation(ctx: Context, optIn: OptIn): ReturnType<typeof prepareOwnMail> {
  const { _id, requestedAt, mails } = optIn;
  const emailId = timedId('em', requestedAt.getTime(), `${_id}/${mails}`);
  return prepareOwnMail(ctx, await messageOf(ctx, optIn, confirmUrl(ctx.core, optIn)), emailId);
}

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
  givenIn,
  loadAttachments,
  openPixelUrl,
  systemValues,
  unsubscribeAddress,
  unsubscribeUrl,
} from '../../records/emails';
import type { AttachmentRef, Email, LinkedMessage, Outcome } from '../../records/emails';
import type { DkimKey } from '../../message/dkim';
import { composeGiven } from '../../message/given';
import { MailScratch, composeMail, textField } from '../../message/mime';
import type { OutgoingMail } from '../../message/mime';
import { TemplateRenderError, TemplateSyntaxError, isForMany } from '../../message/template';
import type { CompiledContent, Values, Written } from '../../message/template';
import type { Tracked } from '../../contracts/tracking';
import { isSimulated } from '../../rules/simulator';
import { finalFailure, loggedOutcome, postponed, simulatedOutcome, unverifiedFailure } from './outcome';
import type { OutcomeRules } from './outcome';
import type { OwnedEnvelope } from './transport';

type Composer = Pick<Core, 'config' | 'secrets'>;

/** Returns the buffers in which this process composes messages. */
export const mailScratch = perCore(() => new MailScratch());

/**
 * Composes a message for the wire, one character a byte. Resolves to its outcome when it goes nowhere: its domain is not verified any more, it is simulated,
 * logged, or cannot be composed. Never rejects.
 */
export async function compose(core: Core, email: Email, rules: OutcomeRules, clock: () => Date): Promise<string | Outcome> {
  try {
    const dkim = await keyOf(core, email);
    return nowhere(core, email, dkim !== null, rules, clock()) ?? (await signedMessage(core, email, dkim as DkimKey));
  } catch (error) {
    if (error instanceof TemplateRenderError || error instanceof TemplateSyntaxError) return finalFailure(email, error.message, clock());
    core.log.error({ err: error, emailId: email._id }, 'A message could not be composed');
    return postponed(email, 'The message could not be composed', rules, clock());
  }
}

/** Returns the outcome of a message that no server gets; null for any other. `isVerified`: its domain may send. */
export function nowhere(
  { config }: Pick<Core, 'config'>,
  email: Email,
  isVerified: boolean,
  rules: OutcomeRules,
  at: Date,
): Outcome | null {
  if (!isVerified && !email.testMode) return unverifiedFailure(email, at);
  if (isSimulated(email.to, config.PLATFORM_DOMAIN)) return simulatedOutcome(email, rules, at);
  return email.testMode ? loggedOutcome(email, at) : null;
}

/** Resolves to the key of a message's domain. Null where that may not send, and for test messages, which go nowhere. */
const keyOf = (core: Composer, { testMode, projectId, fromEmail }: Email): Promise<DkimKey | null> | null =>
  testMode ? null : dkimKeyFor(core, projectId, domainOf(fromEmail));

/** Composes a message from what was stored at its acceptance, so that every attempt sends the same. Throws when that fails. */
async function signedMessage(core: Composer, email: Email, dkim: DkimKey): Promise<string> {
  const given = givenIn(email);
  return given ? signedGiven(core, email, given, dkim) : signedMail(core, email, await writtenFrom(core, email), dkim);
}

const writtenFrom = async (core: Composer, email: Email): Promise<Written> =>
  renderMail(core, email, await contentOf(email), JSON.parse(email.values) as Values);

/** Composes a message that came composed: its texts are replaced only where links, the pixel or the footer change them. */
async function signedGiven(core: Composer, email: Email, given: AttachmentRef, dkim: DkimKey): Promise<string> {
  const [stored] = await loadAttachments({ attachments: [given] });
  if (!stored) throw new Error('A message that came composed was not read');
  const isMarketing = email.type === 'marketing';
  const isChanged = isMarketing || follows(email, 'clicks') || follows(email, 'opens');
  const written = isChanged ? await writtenFrom(core, email) : null;
  const texts = { html: written?.html ?? null, plain: isMarketing && written ? written.text : null };
  const fields = platformHeaders(core, email).map(([name, value]) => textField(name, value));
  const date = email.scheduledFor ?? email.createdAt;
  return composeGiven({ bytes: stored.content, texts, fields, date, dkim }, mailScratch(core));
}

type Addressed = LinkedMessage & Pick<Email, 'projectId' | 'type' | 'scheduledFor' | 'createdAt' | 'untracked'>;

/** Renders the text of a message, with counted links and the open pixel where it is tracked. */
export function renderMail(core: Composer, email: Addressed, content: CompiledContent, values: Values): Written {
  const links = isForMany(content) ? new ClickLinks(core, email, email.projectId, content) : null;
  return content.write(values, systemValues(core, email), {
    trackLink: follows(email, 'clicks') ? (url, isShared) => (isShared && links ? links.to(url) : clickUrl(core, email, url)) : null,
    pixelUrl: follows(email, 'opens') ? openPixelUrl(core, email) : null,
    unsubscribeFooter: email.type === 'marketing',
  });
}

const follows = ({ untracked }: Pick<Email, 'untracked'>, what: Tracked): boolean => untracked?.includes(what) !== true;

/** Returns the envelope: the recipient and the address to which bounces return. */
export const envelopeOf = (
  core: Composer,
  email: Pick<Email, '_id' | 'projectId' | 'to' | 'bounceDomain'> & Partial<Pick<Email, 'attachments'>>,
): OwnedEnvelope => ({
  projectId: email.projectId,
  from: bounceAddress(core, email),
  to: email.to,
  ...(givenIn(email)?.given === '8bit' && { eightBit: true }),
});

/** Composes a message for the wire, signed with the key of its domain. */
export async function signedMail(core: Composer, email: Email, rendered: Written, dkim: DkimKey): Promise<string> {
  const attachments = email.attachments.length > 0 ? await loadAttachments(email) : [];
  return composeMail(outgoingMail(core, email, rendered, attachments, dkim), mailScratch(core));
}

const NO_FILES: OutgoingMail['attachments'] = [];

/** Returns the mail of a message, before it is composed. */
export const outgoingMail = (
  core: Composer,
  email: Email,
  { subject, html, text, language }: Written,
  attachments = NO_FILES,
  dkim: DkimKey | null = null,
): OutgoingMail => ({
  from: { address: email.fromEmail, name: email.fromName },
  to: { address: email.to, name: email.toName },
  visible: email.copied,
  replyTo: email.replyTo,
  replyToName: email.replyToName,
  subject,
  date: email.scheduledFor ?? email.createdAt,
  messageId: email.messageId,
  headers: [
    ...(email.headers ?? []),
    ...(language === undefined ? [] : [['Content-Language', language] as const]),
    ...platformHeaders(core, email),
  ],
  html,
  text,
  attachments,
  dkim,
});

/** Returns the field by which mail programs unsubscribe a recipient (RFC 2369). */
export const listUnsubscribe = (core: Composer, message: LinkedMessage): readonly [name: string, value: string] => [
  'List-Unsubscribe',
  `<${unsubscribeUrl(core, message)}>, <mailto:${unsubscribeAddress(core, message._id)}?subject=unsubscribe>`,
];

/**
 * Returns Feedback-ID for all mail (subject, project, type, sender); for marketing mail also the unsubscribe pair of RFC 2369 and RFC 8058.
 */
function platformHeaders(core: Composer, email: Email): readonly (readonly [string, string])[] {
  // Copies share a Message-ID, and so does mail that came composed for several: without this, a report that has nothing else left could be about any of them.
  const subject =
    email.copied || givenIn(email) ? feedbackToken(core, email) : (email.campaignId ?? email.workflowId ?? email.templateId ?? 'send');
  const feedback = ['Feedback-ID', `${subject}:${email.projectId}:${email.type}:lettermill`] as const;
  if (email.type !== 'marketing') return [feedback];
  return [feedback, listUnsubscribe(core, email), ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click']];
}

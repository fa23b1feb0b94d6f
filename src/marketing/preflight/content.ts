import { TemplateRenderError, compileContent, inspectHtml, directed } from '../../message/template';
import type { CompiledContent, ContactFields } from '../../message/template';
import type { Context } from '../../platform/core';
import { lackedIn } from '../../rules/blocks';
import { footerBrandOf } from '../../rules/brand';
import { tagsOf } from '../../rules/domains/judge';
import { fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { judgeWords } from '../../rules/preflight/words';
import { stringsIn } from '../../rules/strings';
import type { Strings } from '../../rules/strings';
import { SPECIMEN } from '../../sending/accept';
import { specimenOf } from '../campaign-mail';
import type { Specimen } from '../campaign-mail';
import { inLanes } from '../../platform/async';
import { spamScore } from '../../sending/spam-check';
import type { SpamScore } from '../../sending/spam-check';
import type { Campaign } from '../campaigns';

const NOBODY: ContactFields = { contactId: null, email: 'reader@example.com', firstName: null, lastName: null, locale: null, data: null };
const PLAIN = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };

/** Gmail shows this much of a message, and hides the rest behind a link. */
const CLIPPED_BYTES = 102 * 1024;
/** A message with images and less text than this is an image. */
const LEAST_TEXT = 40;

/** Returns whether a composed message has the fields of one-click unsubscription, covered by its signature (RFC 8058, 3 and 4). */
function isOneClickSigned(message: string): boolean {
  const head = message.slice(0, message.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const covered =
    tagsOf(/^DKIM-Signature: (.*)$/im.exec(head)?.[1] ?? '')
      ?.get('h')
      ?.toLowerCase()
      .replace(/\s/g, '')
      .split(':') ?? [];
  const hasFields = /^List-Unsubscribe: .*<https?:/im.test(head) && /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/im.test(head);
  return hasFields && ['list-unsubscribe', 'list-unsubscribe-post'].every((name) => covered.includes(name));
}

function checkOneClick({ message }: Specimen): Finding {
  const check = 'one_click_unsubscribe';
  if (isOneClickSigned(message)) return fine(check, 'The one-click unsubscribe header is there, and the DKIM signature covers it.');
  const how = 'Verify the From domain, so that its mail is signed.';
  return found('warn', check, 'The one-click unsubscribe header is not covered by a DKIM signature.', how);
}

function checkSize({ html }: Specimen): Finding {
  const bytes = Buffer.byteLength(html);
  const detail = `${Math.ceil(bytes / 1024)} KB of HTML`;
  if (bytes <= CLIPPED_BYTES) return fine('size', 'The message is small enough for Gmail to show all of it.', detail);
  const how = 'Shorten the HTML: remove comments, styles and unused blocks.';
  return found('warn', 'size', 'Gmail shows the first 102 KB and hides the rest.', how, detail);
}

function checkClients({ html }: Specimen): Finding {
  const lacked = lackedIn(html);
  if (lacked.length === 0) return fine('client_support', 'Widespread mail programs show all of the message.');
  const how = 'Use what all of them show, or check how it looks without.';
  return found('warn', 'client_support', 'Widespread mail programs lack what the message uses.', how, listed(lacked, ' '));
}

function checkUnsubscribe(content: CompiledContent, html: string): Finding {
  if (!content.usesUnsubscribeUrl) return fine('unsubscribe_link', 'The footer has an unsubscribe link.');
  if (html.includes(SPECIMEN.unsubscribeUrl)) return fine('unsubscribe_link', 'The content has its own unsubscribe link.');
  const how = 'Place {{unsubscribeUrl}} outside of conditions, or remove it to get the footer.';
  return found('warn', 'unsubscribe_link', 'Some recipients get no unsubscribe link.', how);
}

// A content with its own unsubscribe link gets no footer, so it has to say the address itself.
function checkAddress({ project: { brand } }: Context, content: CompiledContent, html: string): Finding {
  const address = brand?.address;
  if (address === undefined) {
    const how = 'Add it to the brand settings.';
    return found('warn', 'postal_address', 'The footer has no postal address, which many countries require.', how);
  }
  if (!content.usesUnsubscribeUrl) return fine('postal_address', 'The footer has your postal address.');
  const [firstLine = ''] = address.split('\n');
  if (inspectHtml(html).text.includes(firstLine.trim())) return fine('postal_address', 'The content has your postal address.');
  const what = 'The content has its own unsubscribe link, so it gets no footer, and does not say your postal address.';
  return found('warn', 'postal_address', what, 'Write the address into the content.');
}

function checkImages(html: string): readonly Finding[] {
  const { images, withoutAlt, text } = inspectHtml(html);
  const described =
    withoutAlt.length === 0
      ? fine('images', images === 0 ? 'The message has no images.' : 'Each image has a description.')
      : found(
          'warn',
          'images',
          `${withoutAlt.length} of ${images} images have no description for readers who do not see them.`,
          'Give each image an `alt` text; an empty one marks decoration.',
          listed(withoutAlt.map((src) => src || 'an image without src')),
        );
  const how = 'Write the message as text, and use images to illustrate it.';
  const worded =
    text.length >= LEAST_TEXT || (images === 0 && text !== '')
      ? fine('text', 'The message has text.')
      : found('warn', 'text', images > 0 ? 'The message is little more than an image.' : 'The message is empty.', how);
  return [described, worded];
}

/** The findings about a content, and the message that they are about; null if it cannot be rendered. */
interface CheckedContent {
  readonly findings: readonly Finding[];
  readonly specimen: Specimen | null;
}

/** Checks a content of a campaign as one reader would get it: the first of the sample, or nobody in particular. */
export async function checkContent(
  ctx: Context,
  { language, campaign }: CampaignContentIn,
  strings: Strings | null,
  reader: ContactFields = { ...NOBODY, locale: language },
): Promise<CheckedContent> {
  const { subject, abSubjectB, previewText, body: html } = campaign;
  const source = { subject, html, text: null, language, strings: stringsIn(strings, [subject, html, previewText]) };
  const content = compileContent({ ...source, previewText, brand: footerBrandOf(ctx.project.brand) });
  try {
    const specimen = await specimenOf(ctx, campaign, content, reader);
    const bare = compileContent(source);
    const plain = bare.render(bare.valuesFor({}, reader), SPECIMEN, PLAIN).html;
    const findings = [
      checkOneClick(specimen),
      checkUnsubscribe(content, plain),
      checkAddress(ctx, content, plain),
      ...checkImages(plain),
      checkSize(specimen),
      checkClients(specimen),
      judgeWords([subject, abSubjectB ?? ''], specimen.text),
    ];
    return { findings, specimen };
  } catch (error) {
    if (!(error instanceof TemplateRenderError)) throw error;
    const finding = found('warn', 'rendering', 'The message cannot be rendered.', 'Simplify loops and nested blocks.', error.message);
    return { findings: [finding], specimen: null };
  }
}

const AT_ONCE = 5;
/** No message is sent to the spam filter after this. */
const ALL_MS = 10_000;

const NO_VERDICT = found(
  'warn',
  'spam_score',
  'The spam filter gave no verdict.',
  'Run the checks again, or ask the operator to check SPAM_CHECK_URL.',
);

function judgeScore({ score, threshold, isSpam, rules }: SpamScore): Finding {
  const detail = listed([`score ${score}${threshold === null ? '' : ` of ${threshold}`}`, ...rules], ', ');
  if (!isSpam) return fine('spam_score', 'The spam filter lets the message pass.', detail);
  return found('warn', 'spam_score', 'The spam filter takes the message for spam.', 'Change what its heaviest rules name.', detail);
}

async function checkOne({ core }: Context, message: string): Promise<readonly Finding[]> {
  const score = await spamScore(core, message);
  if (score === null) return [];
  return [score === 'failed' ? NO_VERDICT : judgeScore(score)];
}

/** Scores the messages of a campaign with the spam filter. Resolves to the findings by language: no findings if no filter is configured. */
export async function checkSpam(
  ctx: Context,
  messages: ReadonlyMap<string | null, string>,
): Promise<ReadonlyMap<string | null, readonly Finding[]>> {
  const findings = new Map<string | null, readonly Finding[]>([...messages.keys()].map((language) => [language, [NO_VERDICT]]));
  const until = performance.now() + ALL_MS;
  await inLanes(messages, { atOnce: AT_ONCE, isOver: () => performance.now() >= until }, async ([language, message]) => {
    findings.set(language, await checkOne(ctx, message));
  });
  return findings;
}

/** A campaign as those get it who read one of its languages; null for the default. */
export interface CampaignContentIn {
  readonly language: string | null;
  readonly campaign: Campaign;
}

/** Lists the contents of a campaign: the default, and each variant as the only content. */
export function contentsOf({ variants, ...campaign }: Campaign): readonly CampaignContentIn[] {
  const others = Object.entries(variants ?? {}).map(([language, { subject, body, previewText = null, fromName, abSubjectB = null }]) => ({
    language,
    campaign: { ...campaign, subject, body: directed(body, language), previewText, abSubjectB, fromName: fromName ?? campaign.fromName },
  }));
  return [{ language: null, campaign }, ...others];
}

import type { Variant } from '../../contracts/campaign';
import { languageChooser } from '../../rules/translations';
import type { Campaign } from './model';
import { invalid } from '../../platform/core';
import type { Context } from '../../platform/core';
import { directed } from '../../message/template';
import { storeContent } from '../../records/emails';
import type { InlineContent } from '../../records/emails';
import { footerBrandOf } from '../../rules/brand';
import { idOfVersion } from '../../rules/content-version';
import { stringsIn } from '../../rules/strings';
import { hashContent, acceptTrials } from '../../sending/accept';
import type { TrialsSent } from '../../sending/accept';
import { stringsOf } from '../../sending/translations';
import { readCampaign } from './drafts';
import { feedOfTest } from './feed';

interface Subjects {
  readonly a: string;
  /** Null without an A/B test. */
  readonly b: string | null;
}

/** The `contents` rows of a version of a campaign's content: those of the default, and of each variant by language. */
export interface ContentIds extends Subjects {
  /** Absent without variants. */
  readonly languages?: Readonly<Record<string, Subjects & { readonly fromName: string | null }>>;
}

type Versions = Pick<Campaign, 'contentIds' | 'revisions'>;

/** Returns the content of a recipient by the A/B variant and the locale of the contact. */
export type ContentChooser = (variant: Variant, locale: string | null) => string;

const idOf = ({ a, b }: Subjects, variant: Variant): string => (variant === 'b' ? b : null) ?? a;

/** Returns what chooses the content of each recipient of a campaign. Throws for a campaign that has none. */
export function contentChooser({ contentIds }: Pick<Campaign, 'contentIds'>): ContentChooser {
  if (!contentIds) throw new Error('A campaign that is sent has a content');
  const { languages } = contentIds;
  if (!languages) return (variant) => idOf(contentIds, variant);
  const languageFor = languageChooser(Object.keys(languages));
  return (variant, locale) => idOf(languages[languageFor(locale) ?? ''] ?? contentIds, variant);
}

/** Lists the contents of a version that have one of the subjects; without A/B tests all have the first one. */
export const idsOfSubject = ({ languages = {}, ...ids }: ContentIds, variant: Variant): readonly string[] =>
  [ids, ...Object.values(languages)].map((subjects) => idOf(subjects, variant));

/** Lists the contents of all versions. */
export const contentsOf = ({ contentIds, revisions = [] }: Versions): readonly string[] =>
  [...revisions.map((revision) => revision.contentIds), ...(contentIds ? [contentIds] : [])].flatMap((ids) => [
    ...idsOfSubject(ids, 'a'),
    ...idsOfSubject(ids, 'b'),
  ]);

/** Returns the name of the sender that goes out with a content. */
export function fromNameOf({ contentIds, fromName }: Pick<Campaign, 'contentIds' | 'fromName'>, contentId: string | null): string | null {
  if (!contentIds?.languages) return fromName;
  return Object.values(contentIds.languages).find(({ a, b }) => a === contentId || b === contentId)?.fromName ?? fromName;
}

/** Returns the languages of the contents of all versions; the default's are not among them. */
export const languagesByContent = ({ contentIds, revisions = [] }: Versions): ReadonlyMap<string, string> =>
  new Map(
    [...revisions.map((revision) => revision.contentIds), ...(contentIds ? [contentIds] : [])].flatMap(({ languages = {} }) =>
      Object.entries(languages).flatMap(([language, { a, b }]) => [a, b ?? a].map((id) => [id, language] as const)),
    ),
  );

/** Stores the contents of both subjects in all languages, as a version of the campaign's content. */
export async function storeContents(
  { project }: Context,
  { projectId, subject, abSubjectB, body, previewText, variants, feedContent: feed }: Campaign,
  startsAt: Date,
  version = 1,
): Promise<ContentIds> {
  const strings = await stringsOf(project);
  const shared = { text: null, brand: footerBrandOf(project.brand), ...(feed && { constants: { feed } }) };
  const store = async (texts: Pick<InlineContent, 'subject' | 'html' | 'previewText' | 'language'>): Promise<string> => {
    const used = stringsIn(strings, [texts.subject, texts.html, texts.previewText]);
    const content = { ...texts, ...shared, ...(used && { strings: used }) };
    const id = idOfVersion(hashContent(projectId, content), version);
    await storeContent(id, projectId, content, startsAt);
    return id;
  };
  const both = async (texts: Omit<Parameters<typeof store>[0], 'subject'>, a: string, b: string | null | undefined) => ({
    a: await store({ ...texts, subject: a }),
    b: abSubjectB === null || !b ? null : await store({ ...texts, subject: b }),
  });
  const ids = await both({ html: body, previewText }, subject, abSubjectB);
  if (!variants) return ids;
  const languages: Record<string, NonNullable<ContentIds['languages']>[string]> = {};
  for (const [language, variant] of Object.entries(variants)) {
    const texts = { html: directed(variant.body, language), previewText: variant.previewText ?? null, language };
    languages[language] = { ...(await both(texts, variant.subject, variant.abSubjectB)), fromName: variant.fromName ?? null };
  }
  return { ...ids, languages };
}

/** A test of a campaign: where it goes, in which language, and with which subject of an A/B test. */
interface TestSend {
  readonly to: string;
  readonly language?: string | undefined;
  readonly abSubject?: Variant | undefined;
}

/** Returns a campaign with the subjects of one variant. Throws 422 at `abSubject` for the second one of a campaign that has only one. */
function asVariant(campaign: Campaign, variant: Variant): Campaign {
  const { abSubjectB, variants } = campaign;
  if (variant === 'a') return campaign;
  if (abSubjectB === null) throw invalid('abSubject', 'invalid_combination', 'The campaign has one subject');
  const translated = Object.entries(variants ?? {}).map(([language, each]) => [
    language,
    { ...each, subject: each.abSubjectB ?? each.subject },
  ]);
  return {
    ...campaign,
    subject: abSubjectB,
    ...(variants && { variants: Object.fromEntries(translated) as NonNullable<typeof variants> }),
  };
}

/**
 * Sends the current content to one address, its subject prefixed with `[Test] `. The address is no recipient of the campaign and counts in none of its
 * counters. Throws `not_found`, and what `asVariant`, `feedOfTest` and `acceptTrials` throw.
 */
export async function testSendCampaign(ctx: Context, id: string, { to, language, abSubject = 'a' }: TestSend): Promise<TrialsSent> {
  const campaign = asVariant(await readCampaign(ctx, id), abSubject);
  const { subject, body, previewText, fromEmail, fromName, replyTo, variants = null } = campaign;
  const feed = await feedOfTest(ctx, campaign);
  const trial = {
    subject,
    html: body,
    text: null,
    previewText,
    templateId: null,
    variants,
    variables: feed ? { feed } : {},
    from: fromEmail,
    fromName,
    replyTo,
    type: 'marketing' as const,
  };
  return acceptTrials(ctx, to, trial, { languages: Object.keys(variants ?? {}), language });
}

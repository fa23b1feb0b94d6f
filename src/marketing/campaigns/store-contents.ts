import type { Context } from '../../platform/core';
import { directed } from '../../message/template';
import { storeContent } from '../../records/emails';
import type { InlineContent } from '../../records/emails';
import { footerBrandOf } from '../../rules/brand';
import { idOfVersion } from '../../rules/content-version';
import { stringsIn } from '../../rules/strings';
import { hashContent } from '../../sending/accept';
import { stringsOf } from '../../sending/translations';
import type { ContentIds } from './content-ids';
import type { Campaign } from './model';

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

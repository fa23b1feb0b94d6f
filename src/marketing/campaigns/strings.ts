import type { Context, ErrorDetail } from '../../platform/core';
import { compileContent } from '../../message/template';
import { keysWithout } from '../../rules/strings';
import type { Translation } from '../../rules/translations';
import { stringsOf } from '../../sending/translations';
import type { CampaignContent } from './model';
import { refuse } from './refusals';

type Texts = Omit<Translation, 'fromName'>;
type Content = Texts & Pick<CampaignContent, 'variants'>;

const readBy = ({ subject, abSubjectB, body: html, previewText = null }: Texts): readonly string[] => [
  ...compileContent({ subject, html, text: null, previewText }).strings,
  ...(abSubjectB ? compileContent({ subject: abSubjectB, html: '', text: null }).strings : []),
];

/** Strings of the project that a campaign reads in a language, and that have no text for it; for null, those that do not exist. */
export type MissingStrings = (language: string | null) => readonly string[];

/** Resolves to what tells which of the project's strings a campaign lacks, as they are now. */
export async function missingStrings({ project }: Context, content: Content): Promise<MissingStrings> {
  const strings = await stringsOf(project);
  const variants = content.variants ?? {};
  return (language) => {
    const variant = language === null ? undefined : variants[language];
    if (variant) return keysWithout(strings, readBy(variant), language);
    return keysWithout(strings, [content, ...Object.values(variants)].flatMap(readBy), null);
  };
}

/** Returns how a string is named in a template. */
export const namedString = (key: string): string => `t "${key}"`;

/** Throws 422 where a content reads strings that do not exist: its readers would see a gap. */
export async function requireStrings(ctx: Context, content: Content): Promise<void> {
  const missing = (await missingStrings(ctx, content))(null);
  refuse(
    missing.map((key): ErrorDetail => ({
      path: 'body',
      code: 'not_found',
      message: `There is no translation {{${namedString(key)}}}; add it, or give a fallback`,
    })),
  );
}

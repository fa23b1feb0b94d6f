import { withChanges } from '../../../../src/rules/translations.ts';
import { contentOf, withContent, withDesign } from '../blocks/content.ts';
import { changesOf } from '../unsaved.tsx';
import type { Schemas } from '../api.ts';

/** A content in one language. */
export type Variant = Schemas['CampaignVariant'];
export type Variants = Readonly<Record<string, Variant>>;
export type TextMember = Exclude<keyof Variant, 'bodyBlocks'>;

export const NO_VARIANTS: Variants = {};

const MEMBERS = ['previewText', 'fromName', 'abSubjectB'] as const;
type Kept = 'subject' | 'body' | 'bodyBlocks';

/** Returns variants as a request takes them: without empty texts, and with the members that the content has. */
export function variantsBody<Member extends (typeof MEMBERS)[number]>(
  variants: Variants,
  members: readonly Member[],
): Record<string, Pick<Variant, Kept | Member>> | null {
  const entries = Object.entries(variants).map(([language, variant]) => {
    const given = members.filter((member) => variant[member]?.trim()).map((member) => [member, variant[member]] as const);
    const { subject, body, bodyBlocks } = variant;
    return [language, { subject, body, ...(bodyBlocks && { bodyBlocks }), ...Object.fromEntries(given) }] as const;
  });
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Record<string, Pick<Variant, Kept | Member>>);
}

type Previewed = Pick<Variant, 'subject' | 'body' | 'previewText'>;

/** Returns the content that a preview shows: the default, or that of a language. */
export const previewedIn = (texts: Previewed, variants: Variants, language: string | null): Previewed & { readonly language?: string } => {
  const variant = language === null ? undefined : variants[language];
  const { subject, body, previewText = null } = variant ?? texts;
  return { subject, body, previewText, ...(language !== null && variant && { language }) };
};

/** Returns what a language begins with: a copy of the default, whose design says the language that it is in now. */
export function copyFor(language: string, texts: Variant): Variant {
  const { design } = contentOf(texts.body, texts.bodyBlocks);
  return design ? withContent(texts, withDesign({ ...design, lang: language })) : texts;
}

type Given<T> = Readonly<Record<string, T>> | null;
type Changes<T> = Record<string, T | null>;

/** Returns the languages that differ; null for one that is removed. */
function languageChanges<T extends object>(written: Given<T>, kept: Given<T>): Changes<T> {
  const removed = Object.keys(kept ?? {}).filter((language) => !written?.[language]);
  return { ...Object.fromEntries(removed.map((language) => [language, null])), ...(changesOf(written ?? {}, kept ?? {}) as Changes<T>) };
}

interface WithVariants {
  readonly variants: Given<object>;
}
type VariantOf<T extends WithVariants> = NonNullable<T['variants']>[string];

/** Returns the members that differ as `changesOf` does, and of the variants the languages that differ. The rest stays as others have stored it. */
export function contentChanges<T extends WithVariants>(
  written: T,
  kept: T,
  together: readonly (readonly (keyof T)[])[],
): Partial<Omit<T, 'variants'>> & { readonly variants?: Changes<VariantOf<T>> } {
  const { variants: _, ...changes } = changesOf(written, kept, together);
  const languages = languageChanges(written.variants, kept.variants) as Changes<VariantOf<T>>;
  return { ...changes, ...(Object.keys(languages).length > 0 && { variants: languages }) };
}

/** Returns the variants of somebody else with the languages that were changed here. */
export const joinedVariants = (theirs: Variants, written: Variants, kept: Variants): Variants =>
  withChanges(theirs, languageChanges(written, kept));

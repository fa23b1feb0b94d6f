import type { Variant, Variants } from './language-tabs.tsx';

export const NO_VARIANTS: Variants = {};

const MEMBERS = ['previewText', 'fromName', 'abSubjectB'] as const;

/** Returns variants as a request takes them: without empty texts, and with the members that the content has. */
export function variantsBody<Member extends (typeof MEMBERS)[number]>(
  variants: Variants,
  members: readonly Member[],
): Record<string, Pick<Variant, 'subject' | 'body' | Member>> | null {
  const entries = Object.entries(variants).map(([language, variant]) => {
    const given = members.filter((member) => variant[member]?.trim()).map((member) => [member, variant[member]] as const);
    return [language, { subject: variant.subject, body: variant.body, ...Object.fromEntries(given) }] as const;
  });
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Record<string, Pick<Variant, 'subject' | 'body' | Member>>);
}

/** Returns the content that a preview shows: the default, or that of a language. */
export const previewedIn = (
  texts: Pick<Variant, 'subject' | 'body'>,
  variants: Variants,
  language: string | null,
): Pick<Variant, 'subject' | 'body'> & { readonly language?: string } => {
  const variant = language === null ? undefined : variants[language];
  if (language === null || !variant) return { subject: texts.subject, body: texts.body };
  return { subject: variant.subject, body: variant.body, language };
};

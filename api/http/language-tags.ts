import type { z } from 'zod';
import { isLanguageTag } from '../../src/rules/languages';
import { fault } from './pieces';

const canonical = (tag: string): string => Intl.getCanonicalLocales(tag)[0] ?? tag;

/** Notes the keys that are no language tag (BCP 47), nor one of `others`, and those that are another form of an earlier one. */
export function languagesOnce(tags: readonly string[], ctx: z.RefinementCtx, others: readonly string[] = []): void {
  const seen = new Set<string>();
  for (const tag of tags) {
    if (others.includes(tag)) continue;
    if (!isLanguageTag(tag)) {
      fault(ctx, 'invalid_string', ['Not a BCP 47 language tag', ...others].join(', nor '), [tag]);
      continue;
    }
    const language = canonical(tag);
    if (seen.has(language)) fault(ctx, 'invalid_combination', `The same language as \`${language}\``, [tag]);
    seen.add(language);
  }
}

/** Returns texts or contents by the canonical form of their language tags; keys that are none stay as they are. */
export const canonicalTags = <T>(given: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([tag, each]) => [isLanguageTag(tag) ? canonical(tag) : tag, each]));

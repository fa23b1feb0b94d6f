import { invalid } from '../../platform/core';
import { excessOf, withChanges } from '../../rules/translations';
import type { TranslationChanges, Translations } from '../../rules/translations';

/** Applies changes by language to the variants of a content; null is none. Throws 422 at `variants` for more than a content may have. */
export function changedVariants(
  variants: Translations | null | undefined,
  changes: TranslationChanges | null | undefined,
): Translations | null {
  const changed = withChanges(variants, changes);
  const excess = excessOf(changed);
  if (excess !== null) throw invalid('variants', 'too_big', excess);
  return Object.keys(changed).length === 0 ? null : changed;
}

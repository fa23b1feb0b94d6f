import { escapePattern } from '../../rules/conditions/text';

/** Builds a condition that a string contains `text`, ignoring case. `text` is never read as a pattern. */
export const containing = (text: string): { readonly $regex: string; readonly $options: 'i' } => ({
  $regex: escapePattern(text),
  $options: 'i',
});

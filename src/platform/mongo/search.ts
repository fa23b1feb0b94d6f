import { escapePattern } from '../../rules/conditions/text';

/** A condition on a string: it contains `text`, whatever the case of either. `text` is never read as a pattern. */
export const containing = (text: string): { readonly $regex: string; readonly $options: 'i' } => ({
  $regex: escapePattern(text),
  $options: 'i',
});

import { asciiDomain } from '../../rules/ascii-domain';
import { escapePattern } from '../../rules/conditions/text';

/** Builds a condition that a string contains `text`, ignoring case, in any normal form of Unicode. `text` is never read as a pattern. */
export const containing = (text: string): { readonly $regex: string; readonly $options: 'i' } => ({
  $regex: escapePattern(text.normalize('NFC')),
  $options: 'i',
});

/** Builds a condition that an address contains `text`, which may contain an internationalized domain in Unicode. */
export const containingAddress = (text: string): ReturnType<typeof containing> => containing(asciiDomain(text));

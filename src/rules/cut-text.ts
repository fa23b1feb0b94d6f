/** Cuts a text to a length, in UTF-16 units, without parting a pair of surrogates: half of one is no letter. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

const MAX_NAME_LENGTH = 200;

/** Appends a suffix to a name, which is cut to fit. */
export const withSuffix = (name: string, suffix: string): string => cutText(name, MAX_NAME_LENGTH - suffix.length) + suffix;

/** Puts a prefix before a name, which is cut to fit. */
export const withPrefix = (prefix: string, name: string): string => prefix + cutText(name, MAX_NAME_LENGTH - prefix.length);

/** Returns the name of a copy. */
export const copyName = (name: string): string => withSuffix(name, ' (copy)');

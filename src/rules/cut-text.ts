/** Cuts a text to a length, in UTF-16 units, without parting a pair of surrogates: half of one is no letter. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

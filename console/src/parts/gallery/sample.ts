const PLACEHOLDER = /\{\{(?![#/])[^}|]*(?:\|\s*"((?:[^"\\]|\\.)*)"\s*)?\}\}/g;

/** Returns the HTML as a reader sees it whose fields are all empty; lists have one element. */
export const sampleOf = (body: string): string =>
  body.replaceAll(/\{\{[#/][^}]*\}\}/g, '').replaceAll(PLACEHOLDER, (_, fallback: string = '') => fallback.replaceAll('\\"', '"'));

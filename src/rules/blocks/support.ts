interface Feature {
  readonly found: RegExp;
  /** The part that readers miss. */
  readonly words: string;
  /** The page of caniemail.com that says so. */
  readonly source: string;
}

/** Features that common mail programs lack, by their form in HTML. */
const FEATURES: readonly Feature[] = [
  {
    // Ends at the next colon, so that many of these names without a value take no time by the square of their number.
    found: /\bbackground(?:-image)?\s*:[^:;"'}]*\burl\(/i,
    words: 'Outlook on Windows shows no background pictures. Set a background color too.',
    source: 'css-background-image',
  },
  { found: /\bdisplay\s*:\s*(?:inline-)?flex\b/i, words: 'Outlook on Windows ignores flexbox. Use tables.', source: 'css-display-flex' },
  {
    found: /\bdisplay\s*:\s*(?:inline-)?grid\b/i,
    words: 'Outlook on Windows and Gmail ignore CSS grid. Use tables.',
    source: 'css-display-grid',
  },
  { found: /\bposition\s*:\s*(?:absolute|fixed|sticky)\b/i, words: 'Gmail and Outlook ignore CSS positions.', source: 'css-position' },
  { found: /<video\b/i, words: 'Gmail and Outlook play no video. Link a picture to it.', source: 'html-video' },
  { found: /<form\b/i, words: 'Outlook and others show no forms. Link to a page with the form.', source: 'html-form' },
  { found: /<svg\b/i, words: 'Gmail and Outlook remove SVG. Use a picture.', source: 'html-svg' },
];

/** Lists what widespread mail programs lack of what a piece of HTML uses, each with its source. */
export const lackedIn = (html: string): readonly string[] =>
  FEATURES.filter(({ found }) => found.test(html)).map(({ words, source }) => `${words} (caniemail.com: ${source})`);

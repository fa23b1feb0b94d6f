/** Blocks of a design, those inside of others included. */
export const MOST_BLOCKS = 300;
/** Blocks inside of blocks: templates nest up to ten, and a repetition, a condition or columns are enough for any mail. */
export const DEEPEST = 5;
export const MOST_LINES = 200;
export const MOST_SPANS = 200;
export const LONGEST_TEXT = 10_000;
export const LONGEST_HTML = 100_000;
export const LONGEST_LINK = 2_000;
export const LONGEST_LABEL = 200;

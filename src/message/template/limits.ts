/** Bounds on a template, checked before the parser sees it (its time grows with the square of what it is given). */
export const EXPRESSION_LIMIT = 1_000;
export const NESTING_LIMIT = 10;
/** Everything that begins with two braces, comments and closing tags included. */
export const TAG_LIMIT = 4_000;
/** Names, separators and literals inside all expressions of one template. */
export const WORD_LIMIT = 10_000;

/** Bounds on one rendering: subject, html and text together. */
export const ITERATION_LIMIT = 10_000;
export const OUTPUT_LIMIT_BYTES = 2 * 1024 * 1024;
/** In units, each about one variable looked up; see `RenderState.spend`. */
export const COST_LIMIT = 1_000_000;
/** Links after these stay as they are: each one costs a signature. */
export const TRACKED_LINK_LIMIT = 1_000;

export const CACHE_LIMIT_BYTES = 64 * 1024 * 1024;

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements with a blank line around them in text. */
export const PARAGRAPHS = setOf('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre hr figure');
/** Elements that begin a line of text. */
export const LINES = setOf(
  'div tr li section article header footer main nav aside address center form fieldset table tbody thead tfoot caption dt dd body ' +
    'html option figcaption',
);
export const CELLS = setOf('td th');
/** Elements without content and end tag (HTML 13.1.2). */
export const VOID = setOf('area base br col embed hr img input link meta source track wbr');
/** Start tags that leave a head open (HTML 13.2.6.4.4). */
export const IN_HEAD = setOf('base basefont bgsound link meta title noframes noscript script style template head html');
/** End tags that end a head. */
export const ENDS_HEAD = setOf('head body html br');

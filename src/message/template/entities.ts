/** Names of U+00A0 to U+00FF, in order; HTML also knows these without a semicolon. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ' +
  'ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc ' +
  'Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml ' +
  'aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave ' +
  'uacute ucirc uuml yacute thorn yuml';

const SHORT: Readonly<Record<string, string>> = { amp: '&', AMP: '&', lt: '<', LT: '<', gt: '>', GT: '>', quot: '"', QUOT: '"' };

/** Every name of an ASCII character, since these can hide a scheme in a URL, and names that are common in letters. */
const LONG: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  Hat: '^',
  lowbar: '_',
  UnderBar: '_',
  grave: '`',
  DiacriticalGrave: '`',
  fjlig: 'fj',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  VerticalLine: '|',
  rcub: '}',
  rbrace: '}',
  NonBreakingSpace: '\u00a0',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  fnof: 'ƒ',
  circ: 'ˆ',
  tilde: '˜',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  dagger: '†',
  Dagger: '‡',
  bull: '•',
  hellip: '…',
  permil: '‰',
  prime: '′',
  Prime: '″',
  lsaquo: '‹',
  rsaquo: '›',
  euro: '€',
  trade: '™',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  minus: '−',
  infin: '∞',
  asymp: '≈',
  ne: '≠',
  le: '≤',
  ge: '≥',
  spades: '♠',
  clubs: '♣',
  hearts: '♥',
  diams: '♦',
  check: '✓',
  star: '☆',
  starf: '★',
};

/** What U+0080 to U+009F mean when written as numbers (HTML standard, numeric character reference end state). */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const WITHOUT_SEMICOLON: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ...Object.entries(SHORT),
]);
const WITH_SEMICOLON: ReadonlyMap<string, string> = new Map([...WITHOUT_SEMICOLON, ...Object.entries(LONG)]);

const REFERENCE = /&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z][A-Za-z0-9]*))(;?)/g;

function character(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80]!;
  const isUsable = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isUsable ? String.fromCodePoint(code) : '\ufffd';
}

/**
 * Decodes character references: all numeric ones, and the names listed here. An unknown name stays as written, and so does
 * one without a semicolon before `=`, as in `?a=1&copy=2`.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    REFERENCE,
    (whole: string, hex: string | undefined, decimal: string | undefined, name: string | undefined, semicolon: string, at: number) => {
      if (hex !== undefined) return character(Number.parseInt(hex, 16));
      if (decimal !== undefined) return character(Number.parseInt(decimal, 10));
      if (semicolon !== '') return WITH_SEMICOLON.get(name!) ?? whole;
      return text[at + whole.length] === '=' ? whole : (WITHOUT_SEMICOLON.get(name!) ?? whole);
    },
  );
}

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
const VOID = setOf('area base br col embed hr img input link meta source track wbr');
/** Start tags that leave a head open (HTML 13.2.6.4.4). */
export const IN_HEAD = setOf('base basefont bgsound link meta title noframes noscript script style template head html');
/** End tags that end a head. */
export const ENDS_HEAD = setOf('head body html br');

/** Never shown: fragments for scripts, and settings for Outlook. */
const HIDDEN_ELEMENTS: ReadonlySet<string> = new Set(['template', 'xml']);
const DECLARATION = /^\s*([\w-]+)\s*:\s*(\S+?)\s*(!\s*important\s*)?$/;
const CSS_COMMENT = /\/\*.*?(?:\*\/|$)/gs;
const HIDING: ReadonlyMap<string, string> = new Map([
  ['display', 'none'],
  ['visibility', 'hidden'],
  ['mso-hide', 'all'],
]);

interface Declared {
  readonly value: string;
  readonly isImportant: boolean;
}

/** Returns what the declarations of a style say last, important ones before others, of the properties that can hide an element. */
function hidingDeclarations(style: string): ReadonlyMap<string, Declared> {
  const declared = new Map<string, Declared>();
  for (const declaration of style.toLowerCase().replaceAll(CSS_COMMENT, '').split(';')) {
    const [, name = '', value = '', important] = DECLARATION.exec(declaration) ?? [];
    const isImportant = important !== undefined;
    if (HIDING.has(name) && (isImportant || !declared.get(name)?.isImportant)) declared.set(name, { value, isImportant });
  }
  return declared;
}

/** Returns whether an element is hidden by what it is, by its attribute `hidden` (`isMarked`), or by its style. */
export function isHidden(name: string, isMarked: boolean, style: string): boolean {
  if (isMarked || HIDDEN_ELEMENTS.has(name)) return true;
  if (style === '') return false;
  // Buttons next to one that is for Outlook only are hidden there, and shown everywhere else.
  return [...hidingDeclarations(style)].some(
    ([property, { value }]) => HIDING.get(property) === value && !(property === 'mso-hide' && name === 'a'),
  );
}

/** Returns whether a style whose holes are marked by a character may hide an element with one value and show it with another. */
export function mayHide(style: string, hole: string): boolean {
  return style.split(';').some((declaration) => {
    const [property = ''] = declaration.split(':', 1);
    return declaration.includes(hole) && (property.includes(hole) || HIDING.has(property.trim().toLowerCase()));
  });
}

/** Start tags that end an element whose end tag may be left out (HTML 13.1.2.4). */
const ENDED_BY: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  td: ['td', 'th', 'tr'],
  th: ['td', 'th', 'tr'],
  tr: ['tr'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  option: ['option'],
};
const CONTAINERS = ['ul', 'ol', 'dl', 'table', 'select'] as const;

const isBlock = (name: string): boolean => PARAGRAPHS.has(name) || LINES.has(name);

function close(open: Map<string, number>, name: string): boolean {
  const count = open.get(name) ?? 0;
  if (count > 0) open.set(name, count - 1);
  return count > 0;
}

/** Follows the hidden part of a document: from a hidden element's start tag to its end, or to the end of an element around it. */
export class HiddenPart {
  /** Number of open elements of each name around the hidden part. */
  private readonly around = new Map<string, number>();
  private within: Map<string, number> | null = null;
  private root = '';

  get isOpen(): boolean {
    return this.within !== null;
  }

  /** Takes a start tag; returns whether its element is hidden. */
  start(name: string, hides: () => boolean): boolean {
    if (this.isEndedBy(name)) this.within = null;
    if (isBlock(name)) this.around.delete('p');
    if (VOID.has(name)) return this.isOpen || hides();
    if (this.within === null && hides()) {
      this.within = new Map();
      this.root = name;
    } else {
      const open = this.within ?? this.around;
      open.set(name, (open.get(name) ?? 0) + 1);
    }
    return this.isOpen;
  }

  /** Takes an end tag; returns whether it is of a hidden element. */
  end(name: string): boolean {
    if (this.within === null) {
      close(this.around, name);
      return false;
    }
    if (close(this.within, name)) return true;
    const isRoot = name === this.root;
    if (isRoot || close(this.around, name)) this.within = null;
    return isRoot || this.isOpen;
  }

  private isEndedBy(name: string): boolean {
    if (this.within === null) return false;
    if (this.root === 'p') return isBlock(name);
    const isNested = CONTAINERS.some((container) => (this.within?.get(container) ?? 0) > 0);
    return !isNested && (ENDED_BY[this.root]?.includes(name) ?? false);
  }
}

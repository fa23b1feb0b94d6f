import { Parser } from 'htmlparser2';
import { escapeMarkup } from '../template';
import { FeedFault } from './entry';

/** An element of a document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const MOST_ELEMENTS = 100_000;
const DEEPEST = 100;

/**
 * Reads XML into a tree, as forgivingly as readers of feeds do. No entity but those of XML itself is replaced, and a document that declares some is refused, as are
 * very deep and very large trees. Throws `FeedFault`.
 */
export function xmlTree(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open: Element[] = [root];
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        if (elements > MOST_ELEMENTS) throw new FeedFault('The document has too many elements');
        if (open.length > DEEPEST) throw new FeedFault('The elements of the document are nested too deeply');
        const element: Element = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(data) {
        open.at(-1)?.children.push(data);
      },
      onclosetag() {
        open.pop();
      },
      onprocessinginstruction(name, data) {
        if (/^!(?:entity|element|attlist)/i.test(name) || (name.startsWith('!') && data.includes('[')))
          throw new FeedFault('The document declares entities or types of its own, which is not allowed');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return root;
}

const isElement = (child: Element | string): child is Element => typeof child !== 'string';

/** Lists the elements of a name within an element, in order. */
export const childrenOf = ({ children }: Element, ...names: readonly string[]): readonly Element[] =>
  children.filter((child): child is Element => isElement(child) && names.includes(child.name));

/** Returns the text within an element, without white space around it; null where it has none. */
export const textWithin = (element: Element | undefined): string | null => (element && textOf(element).trim()) || null;

const textOf = ({ children }: Element): string => children.map((child) => (isElement(child) ? textOf(child) : child)).join('');

/** Writes what is within an element as markup. */
export const markupWithin = ({ children }: Element): string =>
  children.map((child) => (isElement(child) ? markupOf(child) : escapeMarkup(child))).join('');

function markupOf(element: Element): string {
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`);
  const name = element.name.replace(/^x?html:/, '');
  return `<${name}${attributes.join('')}>${markupWithin(element)}</${name}>`;
}

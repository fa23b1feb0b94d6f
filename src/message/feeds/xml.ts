import { Parser } from 'htmlparser2';
import { FeedFault, MOST_ENTRIES, dateOf, presentOf } from './entry';
import type { Entry, Feed, FeedText } from './entry';
import { escapeMarkup } from '../template';

/** An element of a document. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const MOST_ELEMENTS = 100_000;
const DEEPEST = 100;

/**
 * Reads XML into a tree, as leniently as feed readers do. Replaces only the entities that XML defines. Throws `FeedFault` for a document that declares its own
 * entities, and for a tree that is too deep or too large.
 */
function xmlTree(text: string): Element {
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
const childrenOf = ({ children }: Element, ...names: readonly string[]): readonly Element[] =>
  children.filter((child): child is Element => isElement(child) && names.includes(child.name));

/** Returns the text within an element, without white space around it; null where it has none. */
const textWithin = (element: Element | undefined): string | null => (element && textOf(element).trim()) || null;

const textOf = ({ children }: Element): string => children.map((child) => (isElement(child) ? textOf(child) : child)).join('');

/** Writes what is within an element as markup. */
const markupWithin = ({ children }: Element): string =>
  children.map((child) => (isElement(child) ? markupOf(child) : escapeMarkup(child))).join('');

function markupOf(element: Element): string {
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`);
  const name = element.name.replace(/^x?html:/, '');
  return `<${name}${attributes.join('')}>${markupWithin(element)}</${name}>`;
}

/** Reads RSS (2.0 and older) or Atom. Throws `FeedFault`. */
export function xmlFeed(text: string): Feed {
  const tree = xmlTree(text);
  const [rss] = childrenOf(tree, 'rss', 'rdf:RDF');
  if (rss) return rssFeed(rss);
  const [feed] = childrenOf(tree, 'feed');
  if (feed) return { title: atomText(firstOf(feed, 'title')), entries: entriesOf(feed, 'entry', atomEntry) };
  throw new FeedFault('The document is XML, but neither RSS nor Atom');
}

const firstOf = (element: Element, ...names: readonly string[]): Element | undefined => childrenOf(element, ...names)[0];
const textIn = (element: Element, ...names: readonly string[]): string | null => textWithin(firstOf(element, ...names));
const html = (text: string | null): FeedText | null => (text === null ? null : { text, isHtml: true });

const entriesOf = (parent: Element, name: string, read: (element: Element) => Entry): readonly Entry[] =>
  childrenOf(parent, name).slice(0, MOST_ENTRIES).map(read);

function rssFeed(rss: Element): Feed {
  const channel = firstOf(rss, 'channel') ?? rss;
  const entries = entriesOf(channel, 'item', rssEntry);
  return { title: html(textIn(channel, 'title')), entries: entries.length > 0 ? entries : entriesOf(rss, 'item', rssEntry) };
}

// The guid of an item is its URL where it has no link, unless it says that it is none.
function rssEntry(item: Element): Entry {
  const id = firstOf(item, 'guid');
  const guid = textWithin(id) ?? presentOf(item.attributes['rdf:about']);
  const isUrl = id !== undefined && id.attributes['isPermaLink']?.toLowerCase() !== 'false';
  const url = textIn(item, 'link') ?? (isUrl ? guid : null);
  return {
    guid: guid ?? url,
    url,
    title: html(textIn(item, 'title')),
    summary: html(textIn(item, 'description')),
    content: html(textIn(item, 'content:encoded')),
    publishedAt: dateOf(textIn(item, 'pubDate') ?? textIn(item, 'dc:date')),
    author: textIn(item, 'dc:creator') ?? textIn(item, 'author'),
    image: imageOf(item, childrenOf(item, 'enclosure'), 'url'),
  };
}

function atomEntry(entry: Element): Entry {
  const links = childrenOf(entry, 'link');
  const url = presentOf(links.find(({ attributes: { rel = 'alternate' } }) => rel === 'alternate')?.attributes['href']);
  const author = firstOf(entry, 'author');
  const enclosures = links.filter(({ attributes: { rel } }) => rel === 'enclosure');
  return {
    guid: textIn(entry, 'id') ?? url,
    url,
    title: atomText(firstOf(entry, 'title')),
    summary: atomText(firstOf(entry, 'summary')),
    content: atomText(firstOf(entry, 'content')),
    publishedAt: dateOf(textIn(entry, 'published') ?? textIn(entry, 'updated')),
    author: author ? textIn(author, 'name') : null,
    image: imageOf(entry, enclosures, 'href'),
  };
}

/** Reads a text construct of Atom (RFC 4287, 3.1). */
function atomText(element: Element | undefined): FeedText | null {
  if (!element) return null;
  const { type = 'text' } = element.attributes;
  if (type === 'xhtml' || type === 'application/xhtml+xml')
    return html(presentOf(markupWithin(firstOf(element, 'div', 'xhtml:div') ?? element)));
  const text = textWithin(element);
  return text === null ? null : { text, isHtml: type === 'html' || type === 'text/html' };
}

/** Finds the picture of an entry: an enclosure that is one, or that of Media RSS. */
function imageOf(entry: Element, enclosures: readonly Element[], by: string): string | null {
  const enclosed = enclosures.find(({ attributes: { type = '' } }) => type.startsWith('image/'))?.attributes[by];
  const groups = [entry, ...childrenOf(entry, 'media:group')];
  const media = groups.flatMap((group) => [
    ...childrenOf(group, 'media:content').filter(isPicture),
    ...childrenOf(group, 'media:thumbnail'),
  ]);
  return presentOf(enclosed ?? media[0]?.attributes['url']);
}

const isPicture = ({ attributes: { medium, type = '' } }: Element): boolean => medium === 'image' || type.startsWith('image/');

import { FeedFault, MOST_ENTRIES, dateOf, presentOf } from './entry';
import type { Entry, Feed, FeedText } from './entry';
import { childrenOf, markupWithin, textWithin, xmlTree } from './xml-tree';
import type { Element } from './xml-tree';

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

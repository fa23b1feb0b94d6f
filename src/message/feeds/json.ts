import { FeedFault, MOST_ENTRIES, dateOf, presentOf } from './entry';
import type { Entry, Feed, FeedText } from './entry';

type Json = Readonly<Record<string, unknown>>;

const VERSION = /^https?:\/\/jsonfeed\.org\/version\//;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const textIn = (of: Json, name: string): string | null => {
  const value = of[name];
  return typeof value === 'string' ? presentOf(value) : null;
};

const plain = (text: string | null): FeedText | null => (text === null ? null : { text, isHtml: false });
const html = (text: string | null): FeedText | null => (text === null ? null : { text, isHtml: true });

/** Reads a JSON Feed (https://www.jsonfeed.org/version/1.1/). Throws `FeedFault`. */
export function jsonFeed(text: string): Feed {
  const parsed = parsedJson(text);
  if (!isObject(parsed) || !VERSION.test(textIn(parsed, 'version') ?? '')) throw new FeedFault('The document is JSON, but not a JSON Feed');
  const items = Array.isArray(parsed['items']) ? (parsed['items'] as readonly unknown[]) : [];
  return { title: plain(textIn(parsed, 'title')), entries: items.slice(0, MOST_ENTRIES).filter(isObject).map(entryOf) };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new FeedFault('The document is not valid JSON');
  }
}

function entryOf(item: Json): Entry {
  const url = textIn(item, 'url') ?? textIn(item, 'external_url');
  const { id } = item;
  return {
    guid: (typeof id === 'number' ? String(id) : textIn(item, 'id')) ?? url,
    url,
    title: plain(textIn(item, 'title')),
    summary: plain(textIn(item, 'summary')),
    content: html(textIn(item, 'content_html')) ?? plain(textIn(item, 'content_text')),
    publishedAt: dateOf(textIn(item, 'date_published') ?? textIn(item, 'date_modified')),
    author: authorOf(item),
    image: textIn(item, 'image') ?? textIn(item, 'banner_image'),
  };
}

function authorOf({ authors, author }: Json): string | null {
  const [first] = Array.isArray(authors) ? (authors as readonly unknown[]) : [author];
  return isObject(first) ? textIn(first, 'name') : null;
}

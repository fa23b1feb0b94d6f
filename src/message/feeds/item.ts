import { decodeHTML } from 'entities';
import sanitizeHtml from 'sanitize-html';
import { cutText } from '../../rules/cut-text';
import type { FeedItem } from '../../rules/feed';
import { parsedUrl, resolvedUrl } from '../../rules/parsed-url';
import { escapeMarkup } from '../template';
import type { Entry, FeedText, Feed } from './entry';
import { decodeHtml } from '../reader';
import { FeedFault } from './entry';
import { jsonFeed } from './json';
import { xmlFeed } from './xml';

const LONGEST_TITLE = 300;
const LONGEST_SUMMARY = 500;
const LONGEST_NAME = 200;
const LONGEST_URL = 2_048;
/** Mail programs cut off what is longer than 100 kB in all. */
const LONGEST_HTML = 50_000;
const LONGEST_SOURCE = 200_000;

/** Elements of text, lists, tables and pictures; they have no styles and no classes. */
const ELEMENTS = [
  'p',
  'br',
  'hr',
  'div',
  'span',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'code',
  'a',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'ins',
  'small',
  'sub',
  'sup',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'img',
  'figure',
  'figcaption',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
];
/** Elements that are removed together with their content. */
const REMOVED = [
  'script',
  'style',
  'textarea',
  'option',
  'select',
  'title',
  'noscript',
  'iframe',
  'noembed',
  'noframes',
  'xmp',
  'svg',
  'math',
  'template',
];

/** Cleans an entry: texts are plain and short, URLs absolute and of the web, and its HTML has nothing that runs. `base`: where its feed was found. */
export function itemOf(entry: Entry & { readonly guid: string }, base: URL): FeedItem {
  const url = webUrl(entry.url, base);
  const from = parsedUrl(url ?? '') ?? base;
  const content = entry.content ?? entry.summary;
  return {
    guid: entry.guid,
    title: shortened(entry.title, LONGEST_TITLE),
    url,
    summary: shortened(entry.summary ?? entry.content, LONGEST_SUMMARY),
    html: content && cleaned(content, from),
    author: shortened(entry.author === null ? null : { text: entry.author, isHtml: false }, LONGEST_NAME),
    image: webUrl(entry.image, from),
    publishedAt: entry.publishedAt && entry.publishedAt.toISOString(),
  };
}

/** Returns a text as a plain one in one line, cut to a length. */
export function shortened(given: FeedText | null, length: number): string | null {
  if (given === null) return null;
  const text = (given.isHtml ? withoutMarkup(given.text) : given.text).replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (text.length <= length) return text || null;
  return `${cutText(text, length - 1).replace(/ [^ ]{0,30}$/, '')}…`;
}

// Words of two paragraphs do not run together.
const withoutMarkup = (html: string): string =>
  decodeHTML(sanitized(cutText(html, LONGEST_SOURCE).replaceAll('<', ' <'), { allowedTags: [], nonTextTags: REMOVED }) ?? '');

function cleaned({ text, isHtml }: FeedText, base: URL): string | null {
  if (!isHtml)
    return text.length > LONGEST_HTML
      ? null
      : `<p>${escapeMarkup(text)
          .replace(/\n{2,}/g, '</p><p>')
          .replaceAll('\n', '<br>')}</p>`;
  if (text.length > LONGEST_SOURCE) return null;
  const linked =
    (name: string) =>
    (tagName: string, { [name]: given, ...attribs }: sanitizeHtml.Attributes) => {
      const url = webUrl(given ?? null, base);
      return { tagName, attribs: url === null ? attribs : { ...attribs, [name]: url } };
    };
  const html = sanitized(text, {
    allowedTags: ELEMENTS,
    allowedAttributes: {
      a: ['href', 'title'],
      img: ['src', 'alt', 'title', 'width', 'height'],
      td: ['colspan', 'rowspan', 'align'],
      th: ['colspan', 'rowspan', 'align'],
    },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    nonTextTags: REMOVED,
    nestingLimit: 50,
    transformTags: { a: linked('href'), img: linked('src') },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  })?.trim();
  return html && html.length <= LONGEST_HTML ? html : null;
}

/** Returns null for markup that is nested too deeply for the library. */
function sanitized(html: string, options: sanitizeHtml.IOptions): string | null {
  try {
    return sanitizeHtml(html, options);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function webUrl(text: string | null, base: URL): string | null {
  const url = text === null ? null : resolvedUrl(text, base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= LONGEST_URL ? url.href : null;
}

export { FeedFault } from './entry';
export type { Entry, Feed } from './entry';

const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

/** Reads a feed: RSS, Atom or JSON Feed, by what it looks like. Throws `FeedFault` for anything else. */
export function parseFeed(bytes: Uint8Array, contentType: string): Feed {
  const text = decodeHtml(bytes, CHARSET.exec(contentType)?.[1] ?? null).trimStart();
  if (text.startsWith('{')) return jsonFeed(text);
  if (text.startsWith('<')) return xmlFeed(text);
  throw new FeedFault('The document is not a feed: use RSS, Atom or JSON Feed');
}

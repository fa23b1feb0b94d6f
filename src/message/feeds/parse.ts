import { decodeHtml } from '../reader';
import { FeedFault } from './entry';
import type { Feed } from './entry';
import { jsonFeed } from './json';
import { xmlFeed } from './xml';

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

import type { Core } from '../../platform/core';
import { readDocument } from '../../platform/http-client';
import type { Callee, Document } from '../../platform/http-client';
import { FeedFault, parseFeed } from '../../message/feeds';
import type { Feed } from '../../message/feeds';
import { parsedUrl } from '../../rules/parsed-url';

const MAX_BYTES = 2 * 1_048_576;
const ACCEPTED =
  'application/rss+xml, application/atom+xml, application/feed+json, application/json;q=0.9, application/xml;q=0.9, */*;q=0.5';

/** A feed of which every entry was sent, and what its server said by which to recognize it (RFC 9110, 8.8). */
export interface SeenFeed {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** The outcome of reading a feed. */
type Reading =
  | { readonly kind: 'read'; readonly feed: Feed; readonly base: URL; readonly seen: SeenFeed }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly error: string }
  /** Its server may not be called now. */
  | { readonly kind: 'later'; readonly afterMs: number };

interface Reader {
  readonly core: Pick<Core, 'calls' | 'config' | 'dns'>;
  readonly projectId: string;
}

/** Reads a feed, within the limits of calls to customers' servers. With `seen`, only if it has changed since. Never throws for what a server says. */
export async function readFeed({ core, projectId }: Reader, url: string, seen: SeenFeed | null): Promise<Reading> {
  const parsed = parsedUrl(url);
  if (!parsed) return { kind: 'failed', error: 'The URL is not valid' };
  const callee: Callee = { kind: 'within', projectId, host: parsed.host };
  const permit = core.calls.ask(callee);
  if (!permit) return { kind: 'later', afterMs: core.calls.returnIn(callee) };
  try {
    const headers = { 'user-agent': 'Lettermill', accept: ACCEPTED, 'accept-encoding': 'identity', ...conditionsOf(url, seen) };
    const { config: rules, dns } = core;
    const limitMs = rules.WEBHOOK_TIMEOUT_SECONDS * 1_000;
    const document = await readDocument({ url: parsed, headers }, { rules, dns, limitMs, maxBytes: MAX_BYTES });
    permit.leave({ errorClass: 'error' in document ? document.errorClass : null });
    if ('error' in document) return { kind: 'failed', error: document.error };
    return document.status === 304 && seen?.url === url ? { kind: 'unchanged' } : readingOf(document, url);
  } finally {
    permit.leave(null);
  }
}

function readingOf({ headers, bytes, url: base }: Document, url: string): Reading {
  const { etag = null, 'last-modified': lastModified = null, 'content-type': type = '' } = headers;
  try {
    return { kind: 'read', feed: parseFeed(bytes, type), base, seen: { url, etag, lastModified } };
  } catch (error) {
    if (error instanceof FeedFault) return { kind: 'failed', error: error.message };
    throw error;
  }
}

const conditionsOf = (url: string, seen: SeenFeed | null): Readonly<Record<string, string>> =>
  seen?.url === url
    ? {
        ...(seen.etag !== null && { 'if-none-match': seen.etag }),
        ...(seen.lastModified !== null && { 'if-modified-since': seen.lastModified }),
      }
    : {};

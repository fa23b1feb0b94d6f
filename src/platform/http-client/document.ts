import type { IncomingHttpHeaders } from 'node:http';
import { exchange, failureOf, MOST_REDIRECTS, redirectOf } from './call';
import type { CallTools } from './call';
import { urlFault } from './addresses';

/** A document to read, and the header fields of the request. */
interface Wanted {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

interface DocumentTools extends CallTools {
  readonly maxBytes: number;
}

/** A document as a server gave it: also one that has not changed (304), without bytes. */
export interface Document {
  readonly status: number;
  /** The address after all redirects. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** The reason why a document could not be read. */
interface Unread {
  readonly error: string;
  readonly errorClass: string;
}

const NOT_MODIFIED = 304;

const isFine = (status: number): boolean => (status >= 200 && status < 300) || status === NOT_MODIFIED;

/**
 * Reads a document from a customer's URL. Follows redirects, each of which is checked as the first URL is; the limits are on all of them together, and on the size.
 * Never throws.
 */
export async function readDocument({ url: first, headers }: Wanted, tools: DocumentTools): Promise<Document | Unread> {
  const { rules, dns, limitMs, maxBytes } = tools;
  const signal = AbortSignal.timeout(limitMs);
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const fault = urlFault(url, rules);
    if (fault !== null) return { error: fault, errorClass: 'blocked URL' };
    try {
      const { response, bytes } = await exchange({ url, method: 'GET', headers, body: null }, { rules, dns, signal, keepBytes: maxBytes });
      const { statusCode: status = 0, headers: given } = response;
      const next = redirectOf(status, given.location, url);
      if (next === null) return checked({ status, url, headers: given, bytes }, maxBytes);
      url = next;
    } catch (error) {
      return failureOf(error, signal, limitMs);
    }
  }
  return { error: `More than ${MOST_REDIRECTS} redirects`, errorClass: 'redirects' };
}

function checked(document: Document, maxBytes: number): Document | Unread {
  const { status, headers, bytes } = document;
  if (!isFine(status)) return { error: `The server answered ${status}`, errorClass: `HTTP ${status}` };
  if (bytes.length > maxBytes) return { error: `The document is larger than ${maxBytes / 1_048_576} MB`, errorClass: 'size' };
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    return { error: 'The server compressed the document, although no compression was requested', errorClass: 'coding' };
  return document;
}

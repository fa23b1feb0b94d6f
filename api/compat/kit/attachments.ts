import { CONTENT_TYPE } from '../../../src/message/mime';
import type { Core } from '../../../src/platform/core';
import { invalid } from '../../../src/platform/core';
import { readDocument } from '../../../src/platform/http-client';
import type { SendMessage } from '../../../src/sending/accept';
import { parsedUrl } from '../../../src/rules/parsed-url';
import { SEND_BODY_LIMIT } from '../../send/schemas';

/** Media types by file extension, for attachments that come without one. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** Returns the media type for a file's extension; undefined for an unknown one. */
export function typeOfName(filename: unknown): string | undefined {
  const ending = typeof filename === 'string' ? filename.slice(filename.lastIndexOf('.') + 1).toLowerCase() : '';
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
}

/** An attachment that is given by URL. */
export interface Remote {
  readonly url: string;
  /** The indexes of the message in the request, and of the file in the message. */
  readonly message: number;
  readonly file: number;
  /** The path of the file in the request. */
  readonly path: string;
  readonly hasType: boolean;
}

const MOST_URLS = 20;
const ALL_MS = 20_000;

/**
 * Downloads the attachments that are given by URL. Each download follows the rules and the timeout of webhooks; all of them stay within the size of a request, and
 * within 20 seconds. A URL that occurs twice is called once. Throws `validation_error`.
 */
export async function withRemoteFiles(
  { config, dns }: Core,
  messages: readonly SendMessage[],
  remotes: readonly Remote[],
): Promise<readonly SendMessage[]> {
  if (remotes.length === 0) return messages;
  const ends = performance.now() + ALL_MS;
  const found = new Map<string, { readonly content: Buffer; readonly contentType: string | null }>();
  let left = SEND_BODY_LIMIT;
  for (const { url, path } of remotes) {
    if (found.has(url)) continue;
    if (found.size >= MOST_URLS) throw invalid(path, 'too_big', `At most ${MOST_URLS} files by URL in one request`);
    const target = parsedUrl(url);
    if (!target) throw invalid(path, 'invalid_string', 'Must be a URL');
    const limitMs = Math.min(config.WEBHOOK_TIMEOUT_SECONDS * 1_000, Math.max(1, Math.round(ends - performance.now())));
    const got = await readDocument({ url: target, headers: {} }, { rules: config, dns, limitMs, maxBytes: left });
    if ('error' in got) throw invalid(path, 'blocked_url', got.error);
    left -= got.bytes.length;
    found.set(url, { content: got.bytes, contentType: got.headers['content-type'] ?? null });
  }
  return messages.map((message, at) =>
    filled(
      message,
      remotes.filter(({ message: index }) => index === at),
      found,
    ),
  );
}

function filled(
  message: SendMessage,
  remotes: readonly Remote[],
  found: ReadonlyMap<string, { readonly content: Buffer; readonly contentType: string | null }>,
): SendMessage {
  const attachments = message.attachments.map((attachment, index) => {
    const remote = remotes.find(({ file }) => file === index);
    const got = remote && found.get(remote.url);
    if (!remote || !got) return attachment;
    const type =
      !remote.hasType && got.contentType !== null && CONTENT_TYPE.test(got.contentType) ? got.contentType : attachment.contentType;
    return { ...attachment, content: got.content, contentType: type };
  });
  return { ...message, attachments };
}

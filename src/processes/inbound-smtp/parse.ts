import { MailParser } from 'mailparser';
import type { AttachmentStream, Headers, MessageText } from 'mailparser';

const MOST_PARTS = 500;
const MOST_HEAD = 100 * 1024;
/** The boundary of each is looked for in each line. */
const MOST_MULTIPARTS = 50;
const KEPT_OF_PART = 256 * 1024;

/** Parts of reports, and the messages that they report. */
const KEPT =
  /^(?:message\/(?:global-)?delivery-status|message\/feedback-report|message\/rfc822|message\/global|text\/rfc822-headers|message\/(?:rfc822|global)-headers)$/;

export interface ParsedPart {
  readonly contentType: string;
  readonly filename: string | null;
  /** Bytes after decoding. */
  readonly size: number;
  /** The beginning of a part that belongs to a report; null of any other. */
  readonly content: string | null;
  /** All of it; null where it is not wanted, or the parts before it are as much as is kept. */
  readonly bytes: Uint8Array | null;
}

/** A message as far as it is looked into. */
export interface ParsedMail {
  /** The fields of the head by their names in lower case, unfolded, as they were written; in their order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Whom the From field names first, as it was written. */
  readonly author: Author;
  /** The From fields name one author, and no other. */
  readonly hasOneAuthor: boolean;
  /** The first of those to whom an answer is to go, where the message says so. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly parts: readonly ParsedPart[];
}

/** The first field of a name, as it was written. */
export const fieldOf = ({ fields }: Pick<ParsedMail, 'fields'>, name: string): string | null =>
  fields.find(([key]) => key === name)?.[1] ?? null;

interface Author {
  readonly address: string;
  readonly name: string;
}

/** Takes a message apart, and keeps so many bytes of its parts, each whole or not at all. Throws for one that is too deep or has too many parts. */
export async function takeApart(bytes: Buffer, keepBytes: number): Promise<ParsedMail> {
  if (multipartsIn(bytes) > MOST_MULTIPARTS) throw new Error('Too many multiparts');
  const options = {
    ...{ keepDeliveryStatus: true, ignoreEmbedded: true, skipImageLinks: true, skipHtmlToText: true, skipTextToHtml: true },
    ...{ maxChildNodes: MOST_PARTS, maxHeadSize: MOST_HEAD },
  };
  const parser = new MailParser(options);
  try {
    return await take(parser, bytes, keepBytes);
  } finally {
    parser.destroy();
  }
}

function multipartsIn(bytes: Buffer): number {
  const heads = bytes.toString('latin1').matchAll(/^content-type:\s{0,80}multipart\//gim);
  let count = 0;
  while (count <= MOST_MULTIPARTS && !heads.next().done) count++;
  return count;
}

function take(parser: MailParser, bytes: Buffer, keepBytes: number): Promise<ParsedMail> {
  return new Promise((resolve, reject) => {
    const parts: Promise<ParsedPart>[] = [];
    let headers: Headers = new Map();
    let body: Partial<MessageText> = {};
    const room = { left: keepBytes };
    parser.on('headers', (found) => (headers = found));
    parser.on('data', (data: AttachmentStream | MessageText) => {
      if (data.type === 'attachment') parts.push(partOf(data, room));
      else body = data;
    });
    parser.on('error', reject);
    parser.on('end', () => {
      Promise.all(parts).then(
        (found) =>
          resolve({
            fields: fieldsOf(parser),
            author: authorsIn(headers, 'from')[0] ?? NO_AUTHOR,
            hasOneAuthor: authorsIn(headers, 'from').length === 1 && fieldsOf(parser).filter(([name]) => name === 'from').length === 1,
            replyTo: authorsIn(headers, 'reply-to')[0]?.address ?? null,
            subject: subjectIn(headers),
            text: body.text ?? null,
            html: (body.html || null) as string | null,
            parts: found,
          }),
        reject,
      );
    });
    parser.end(bytes);
  });
}

const NO_AUTHOR: Author = { address: '', name: '' };

function authorsIn(headers: Headers, field: 'from' | 'reply-to'): readonly Author[] {
  const { value = [] } = (headers.get(field) ?? {}) as { readonly value?: readonly Partial<Author>[] };
  return value.map(({ address = '', name = '' }) => ({ address, name }));
}

const subjectIn = (headers: Headers): string => (headers.get('subject') as string | undefined) ?? '';

function fieldsOf(parser: MailParser): readonly (readonly [string, string])[] {
  const { headerLines } = parser as unknown as { readonly headerLines?: readonly { readonly key: string; readonly line: string }[] };
  return (headerLines ?? []).map(({ key, line }) => [
    key,
    line
      .slice(line.indexOf(':') + 1)
      .replace(/\r?\n[ \t]+/g, ' ')
      .trim(),
  ]);
}

async function partOf(attachment: AttachmentStream, room: { left: number }): Promise<ParsedPart> {
  const contentType = attachment.contentType.toLowerCase();
  const most = Math.max(room.left, KEPT.test(contentType) ? KEPT_OF_PART : 0);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of attachment.content as unknown as AsyncIterable<Buffer>) {
    if (size < most) chunks.push(chunk);
    size += chunk.length;
  }
  attachment.release();
  const bytes = Buffer.concat(chunks);
  const content = KEPT.test(contentType) ? bytes.toString('utf8').slice(0, KEPT_OF_PART) : null;
  const isKept = room.left > 0 && size <= room.left;
  if (isKept) room.left -= size;
  return { contentType, filename: attachment.filename ?? null, size, content, bytes: isKept ? bytes : null };
}

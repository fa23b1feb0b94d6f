import { invalid } from '../../../src/platform/core';
import { parsedUrl } from '../../../src/rules/parsed-url';
import { typeOfName } from '../kit/attachments';
import type { Remote } from '../kit/attachments';
import { entriesOf, membersOf, renamed, stated } from '../kit/members';
import type { Members } from '../kit/members';
import { verbatim } from '../kit/verbatim';
import { instantText } from './times';

/** Members of a message that keep their values, by their names there. */
const SAME: Readonly<Record<string, string>> = {
  from: 'from',
  cc: 'cc',
  bcc: 'bcc',
  headers: 'headers',
  tags: 'tags',
  topic_id: 'topicId',
};

const CONTENT: Readonly<Record<string, string>> = { subject: 'subject', html: 'html', text: 'text' };

/** Returns a text as a list of one; lists stay. */
const listed = (value: unknown): unknown => (Array.isArray(value) || value === undefined ? value : [value]);

/** Returns one reply address, which is all that a message has here. */
export function oneReply(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length > 1) throw invalid('reply_to', 'too_big', 'Give one address: a message has one Reply-To');
  return value[0];
}

/** Returns base64 as `Buffer` writes itself in JSON, or as it is. */
function base64Of(content: unknown): unknown {
  const { type, data } = Object(content) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]).toString('base64') : content;
}

/** Returns the last part of a URL's path. */
function nameIn(url: string): string {
  const pathname = parsedUrl(url)?.pathname ?? '';
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  return /^[\w.-]{1,255}$/.test(name) ? name : 'attachment';
}

function attachmentOf(given: Members): Members {
  const { filename, content, path, content_type: type, content_id: contentId } = given;
  const isRemote = typeof path === 'string' && content === undefined;
  const name = filename || (isRemote ? nameIn(path) : 'attachment');
  const contentType = type ?? typeOfName(name);
  return {
    filename: name,
    content: isRemote ? '' : base64Of(content),
    ...(contentType !== undefined && { contentType }),
    ...(contentId !== undefined && { contentId }),
  };
}

/** A message in the form of `POST /v1/send`, and its files that are to be fetched first. */
export interface Translated {
  readonly body: Members;
  readonly remotes: readonly Remote[];
}

/** Returns the content of a message: what is written in it as it is, or a template. */
function contentOf(message: Members, prefix: string): Members {
  const content = renamed(message, CONTENT);
  if (message['template'] === undefined) return verbatim(content);
  const { id, variables } = membersOf(message['template'], `${prefix}template`);
  return { ...content, templateId: id, ...(variables !== undefined && { variables }) };
}

const filesIn = ({ attachments }: Members, prefix: string): readonly Members[] | null =>
  attachments === undefined
    ? null
    : entriesOf(attachments, `${prefix}attachments`).map((each) => stated(membersOf(each, `${prefix}attachments`)));

/** Translates a message; `index` is its index in a batch, null outside of one. */
export function translated(given: unknown, index: number | null, now: Date): Translated {
  const prefix = index === null ? '' : `${index}.`;
  const message = stated(membersOf(given, index === null ? '' : `${index}`));
  const { to, reply_to: replyTo, scheduled_at: scheduledAt, topic_id: topicId } = message;
  const files = filesIn(message, prefix);
  const body = {
    ...renamed(message, SAME),
    ...contentOf(message, prefix),
    createContact: false,
    ...(to !== undefined && { to: listed(to) }),
    ...(replyTo !== undefined && { replyTo: oneReply(replyTo) }),
    ...(scheduledAt !== undefined && { sendAt: instantText(scheduledAt, now) }),
    ...(topicId !== undefined && { type: 'marketing' }),
    ...(files && { attachments: files.map(attachmentOf) }),
  };
  return { body, remotes: remotesIn(files ?? [], index ?? 0, prefix) };
}

const remotesIn = (files: readonly Members[], message: number, prefix: string): readonly Remote[] =>
  files.flatMap(({ path, content, content_type: type }, file) =>
    typeof path === 'string' && content === undefined
      ? [{ url: path, message, file, path: `${prefix}attachments.${file}.path`, hasType: type !== undefined }]
      : [],
  );

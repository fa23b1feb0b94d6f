import { typeOfName } from '../kit/attachments';
import { entriesOf, membersOf, renamed, stated } from '../kit/members';
import type { Members } from '../kit/members';
import { verbatim } from '../kit/verbatim';

/** Members of a message that keep their values, by their names there. */
const SAME: Readonly<Record<string, string>> = { From: 'from', ReplyTo: 'replyTo' };

const CONTENT: Readonly<Record<string, string>> = { Subject: 'subject', HtmlBody: 'html', TextBody: 'text' };

const FILE: Readonly<Record<string, string>> = { Name: 'filename', Content: 'content' };

/** An address of a list; commas within quotes are part of a name. */
const ONE = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;

/** Returns the addresses of a text, `Ada <ada@example.com>, bob@example.com`. */
function addressesIn(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return (text.match(ONE) ?? []).map((each) => each.trim()).filter((each) => each !== '');
}

/** Copies are left out where nobody is named. */
function copiesIn(text: unknown): unknown {
  const list = addressesIn(text);
  return Array.isArray(list) && list.length === 0 ? undefined : list;
}

const headersOf = (list: unknown): Members =>
  Object.fromEntries(
    entriesOf(list, 'headers').map((each) => {
      const { Name, Value } = membersOf(each, 'headers');
      return [String(Name), Value];
    }),
  );

const attachmentsOf = (list: unknown): readonly Members[] =>
  entriesOf(list, 'attachments').map((each) => {
    const given = stated(membersOf(each, 'attachments'));
    const { Name: name, ContentType: type, ContentID: id } = given;
    const contentType = type ?? typeOfName(name);
    return {
      ...renamed(given, FILE),
      ...(contentType !== undefined && { contentType }),
      ...(typeof id === 'string' && id !== '' && { contentId: id.replace(/^cid:/, '') }),
    };
  });

// A tag is a text there, and a name with a value here.
const valueText = (tag: unknown): unknown => (typeof tag === 'string' ? tag.trim().replaceAll(/[^\w.:/-]+/g, '-') : tag);
const nameText = (name: string): string => name.trim().replaceAll(/[^\w-]+/g, '-');

/** The name of Postmark's tags among ours. */
export const TAG = 'tag';

function tagsOf({ Tag: tag, Metadata: metadata }: Members): readonly Members[] {
  const own = tag === undefined || tag === '' ? [] : [{ name: TAG, value: valueText(tag) }];
  const data = metadata === undefined ? [] : Object.entries(membersOf(metadata, 'tags'));
  const tags = [...own, ...data.map(([name, value]) => ({ name: nameText(name), value: valueText(value) }))];
  return tags.filter(({ name }, at) => tags.findIndex((one) => one.name === name) === at);
}

const LINKS: Readonly<Record<string, boolean>> = { None: false, HtmlAndText: true, HtmlOnly: true, TextOnly: false };

function trackingOf({ TrackOpens: opens, TrackLinks: links }: Members): Members {
  return {
    ...(opens !== undefined && { opens }),
    ...(typeof links === 'string' && { clicks: Object.hasOwn(LINKS, links) ? LINKS[links] : links }),
  };
}

const MARKETING_STREAM = 'broadcast';

/** Returns the content of a message: what is written in it as it is, or a template. */
function contentOf(message: Members): Members {
  const { TemplateId: templateId, TemplateAlias: alias, TemplateModel: variables } = message;
  const id = templateId ?? alias;
  if (id !== undefined) return { templateId: typeof id === 'number' ? String(id) : id, ...(variables !== undefined && { variables }) };
  return verbatim(renamed(message, CONTENT));
}

/** Returns a message in the form of `POST /v1/send`. */
export function translated(given: unknown): Members {
  const message = stated(membersOf(given));
  const [tags, tracking, cc, bcc] = [tagsOf(message), trackingOf(message), copiesIn(message['Cc']), copiesIn(message['Bcc'])];
  const { To: to, Headers: headers, Attachments: files, MessageStream: stream } = message;
  return {
    ...renamed(message, SAME),
    ...contentOf(message),
    createContact: false,
    ...(to !== undefined && { to: addressesIn(to) }),
    ...(cc !== undefined && { cc }),
    ...(bcc !== undefined && { bcc }),
    ...(headers !== undefined && { headers: headersOf(headers) }),
    ...(files !== undefined && { attachments: attachmentsOf(files) }),
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(tracking).length > 0 && { tracking }),
    ...(stream === MARKETING_STREAM && { type: 'marketing' }),
  };
}

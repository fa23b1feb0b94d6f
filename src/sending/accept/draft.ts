import { domainOf } from '../../platform/addresses';
import { AppError, invalidRequest, sendFailed } from '../../platform/core';
import type { Context, DetailCode, ErrorDetail } from '../../platform/core';
import { awaitLargeWork } from '../../platform/limits';
import { sendersOf, unverifiedText } from '../domains';
import type { SenderHosts, Senders } from '../domains';
import { storeAttachment, storeContent } from '../../records/emails';
import type { AttachmentRef, InlineContent } from '../../records/emails';
import { compileContent, contentCompiler, faultsBy } from '../../message/template';
import type { CompiledContent, ContentSource } from '../../message/template';
import { findMailTopics } from '../../audience/topics';
import type { MailTopic } from '../../rules/topics';
import { longestWaitOf } from '../../rules/limits-of-mail';
import { trackingOf, untrackedOf } from '../../rules/tracking';
import type { Strings } from '../../rules/strings';
import { findTemplates } from '../templates';
import type { Template } from '../templates';
import { stringsOf } from '../translations';
import { contentFor, contentOf } from './content';
import type { Draft, GivenMessage, PreparedRecipient, SendMessage, SendRequest, Result, YieldWhenDue } from './types';

/** Throws 422 when inline content is not valid, with the faults of all messages. */
export async function checkContents(ctx: Context, { endpoint, messages }: SendRequest, yieldWhenDue: YieldWhenDue): Promise<void> {
  const compiler = contentCompiler(ctx.core);
  const faults: ErrorDetail[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.given) continue;
    await awaitLargeWork(ctx, (message.html ?? message.text ?? '').length);
    const path = endpoint === 'batch' ? `messages.${index}.` : '';
    faults.push(...inlineFaults(message, path, (source) => compiler.compile(source)));
    await yieldWhenDue();
  }
  if (faults.length > 0) throw invalidRequest(faults);
}

/** Creates drafts of the messages. From here on, a fault that depends on stored state fails its message alone. */
export async function resolveContentAndSender(
  ctx: Context,
  { messages }: SendRequest,
  yieldWhenDue: YieldWhenDue,
): Promise<readonly Result<Draft>[]> {
  const grounds = await groundsOf(ctx, messages);
  const drafts: Result<Draft>[] = [];
  for (const message of messages) {
    drafts.push(resultOf(() => draftMessage(ctx, message, grounds)));
    await yieldWhenDue();
  }
  return drafts;
}

export function resultOf<T>(work: () => T): Result<T> {
  try {
    return { ok: work() };
  } catch (error) {
    if (error instanceof AppError && error.code === 'send_failed') return { failed: error };
    throw error;
  }
}

type Templates = ReadonlyMap<string, Template>;

/** Stored data that drafts are resolved against. */
export interface Grounds {
  readonly templates: Templates;
  readonly senders: Senders;
  readonly topics: ReadonlyMap<string, MailTopic>;
  /** The project's own; null if it has none. */
  readonly strings: Strings | null;
}

/** Loads all templates that the messages name, in one query, and the project's domains. */
export async function groundsOf(ctx: Context, messages: readonly SendMessage[]): Promise<Grounds> {
  const ids = new Set(messages.flatMap(({ templateId }) => (templateId === null ? [] : [templateId])));
  const [templates, senders, strings] = await Promise.all([
    ids.size === 0 ? new Map<string, Template>() : findTemplates(ctx.projectId, [...ids]),
    sendersOf(ctx.core, ctx.project),
    stringsOf(ctx.project),
  ]);
  const topicIds = [...messages, ...templates.values()].flatMap(({ topicId }) => topicId ?? []);
  return { templates, senders, strings, topics: await findMailTopics(ctx.projectId, topicIds) };
}

/** Finds syntax faults in inline content, as 422 `invalid_template` details; stored templates were checked when saved. */
export function inlineFaults(
  { subject, html, text }: Pick<SendMessage, 'subject' | 'html' | 'text'>,
  path: string,
  compile: (source: ContentSource) => CompiledContent = compileContent,
): readonly ErrorDetail[] {
  const faults = faultsBy(() => compile({ subject: subject ?? '', html: html ?? (text === null ? '' : null), text }));
  return faults.map(({ field, line, column, message }) => ({
    path: path + field,
    code: 'invalid_template',
    message: `${message} (line ${line}, column ${column})`,
  }));
}

/** For a sender that only test mail may use. */
const NO_HOSTS: SenderHosts = {};

/** Resolves template and sender. Throws `send_failed`. */
export function draftMessage(ctx: Context, message: SendMessage, { templates, senders, topics, strings }: Grounds): Draft {
  const template = templateOf(message, templates);
  const type = message.type ?? template?.type ?? 'transactional';
  const fromEmail = senderOf(ctx, message, template, senders);
  return {
    message,
    ...contentOf(ctx, message, template, { type, strings }),
    type,
    topic: topicOf(message, template, type, topics),
    untracked: untrackedOf(trackingOf([message.tracking, template?.tracking, ctx.project.tracking?.[type]])),
    windows: windowsOf(ctx, message, type),
    fromEmail,
    hosts: senders.get(domainOf(fromEmail)) ?? NO_HOSTS,
    recipients: [],
    attachmentRefs: [],
    contentId: null,
  };
}

// A trial goes to its author, at once.
const windowsOf = ({ project }: Context, { windows, isTrial }: SendMessage, type: Draft['type']): Draft['windows'] =>
  type === 'marketing' && isTrial !== true ? (windows ?? project.windows ?? null) : null;

/** Throws `send_failed` at `topicId`. */
function topicOf(message: SendMessage, template: Template | null, type: Draft['type'], topics: Grounds['topics']): MailTopic | null {
  if (type !== 'marketing') {
    if (message.topicId) throw topicFault('invalid_combination', TOPIC_IS_FOR_MARKETING);
    return null;
  }
  const topicId = message.topicId ?? template?.topicId ?? null;
  if (topicId === null) return null;
  const topic = topics.get(topicId);
  if (!topic) throw topicFault('not_found', 'Topic not found');
  return topic;
}

export const TOPIC_IS_FOR_MARKETING = 'Only mail of the type marketing has a topic';

const topicFault = (code: DetailCode, message: string): AppError =>
  new AppError('send_failed', message, [{ path: 'topicId', code, message }]);

function templateOf(message: SendMessage, templates: Templates): Template | null {
  if (message.templateId === null) return null;
  const template = templates.get(message.templateId);
  if (!template) throw sendFailed('template_not_found', 'No template has this id');
  return template;
}

function senderOf(ctx: Context, message: SendMessage, template: Template | null, senders: Senders): string {
  const wanted = message.from ?? template?.fromEmail ?? null;
  if (wanted !== null && ctx.testMode) return wanted;
  if (wanted === null) {
    const [first] = senders.keys();
    if (first) return `hello@${first}`;
    if (ctx.testMode) return `hello@${ctx.core.config.PLATFORM_DOMAIN}`;
    throw sendFailed('no_from_address', 'Give `from`: the project has no verified domain to send from');
  }
  const domain = domainOf(wanted);
  if (!senders.has(domain)) throw sendFailed('unverified_domain', unverifiedText(domain, senders));
  return wanted;
}

const NONE: readonly AttachmentRef[] = [];

/** Stores the attachments of a message. */
export function storeAttachments(
  ctx: Context,
  draft: Pick<Draft, 'message' | 'type'>,
  recipients: readonly PreparedRecipient[],
): Promise<readonly AttachmentRef[]> | readonly AttachmentRef[] {
  const { message } = draft;
  const { attachments, given } = message;
  if (attachments.length === 0 && !given) return NONE;
  const contactIds = recipients.map(({ contactId }) => contactId);
  const how = { contactIds, neededAt: goesOutBy(ctx, { type: draft.type, recipients }), isKept: isKept(message) };
  if (given) return storeGiven(ctx.projectId, given, how);
  return Promise.all(attachments.map((attachment) => storeAttachment(ctx.projectId, attachment, how)));
}

/** Stores a message that came composed: its bytes, and what its files are called. */
async function storeGiven(
  projectId: string,
  { bytes, isEightBit, files }: GivenMessage,
  how: Parameters<typeof storeAttachment>[2],
): Promise<readonly AttachmentRef[]> {
  const stored = await storeAttachment(projectId, { filename: 'message.eml', contentType: 'message/rfc822', content: bytes }, how);
  return [{ ...stored, given: isEightBit ? '8bit' : '7bit' }, ...files.map((file) => ({ ...file, blobId: null }))];
}

export const isKept = ({ retainContent = true }: SendMessage): boolean => retainContent;

/** Returns when the last of them goes out, also where it waits for a frequency cap. */
export const goesOutBy = (
  { project }: Context,
  { type, recipients }: Pick<Draft, 'type'> & { readonly recipients: readonly Pick<PreparedRecipient, 'sendAt'>[] },
): Date =>
  new Date(Math.max(Date.now(), ...recipients.map(({ sendAt }) => sendAt?.getTime() ?? 0)) + longestWaitOf(type, project.frequencyCaps));

/** Stores each content once, however many messages share it. */
export async function storeContents(ctx: Context, drafts: readonly Result<Draft>[]): Promise<void> {
  const needed = new Map<string, { readonly source: InlineContent; readonly at: Date }>();
  for (const each of drafts) {
    if ('failed' in each || each.ok.contentId === null) continue;
    const at = goesOutBy(ctx, each.ok);
    for (const recipient of each.ok.contentIn ? each.ok.recipients : [null]) {
      const { contentId, source } = contentFor(each.ok, recipient);
      if (contentId !== null && at > (needed.get(contentId)?.at ?? 0)) needed.set(contentId, { source, at });
    }
  }
  await Promise.all([...needed].map(([id, { source, at }]) => storeContent(id, ctx.projectId, source, at)));
}

/**
 * Characters that the messages of a request may store for themselves, as all of them are one transaction: values, and content that is shared with no other
 * message.
 */
const MOST_KEPT = 16 * 1_048_576;

/** Returns a check that throws `payload_too_large` when the stored data of the recipients exceeds the limit of a request. */
export function keeper(): (draft: Draft, recipient: PreparedRecipient) => void {
  let kept = 0;
  return ({ message, source }, { values }) => {
    kept += values.length + (isKept(message) ? 0 : (source.html?.length ?? 0) + (source.text?.length ?? 0));
    if (kept > MOST_KEPT) throw new AppError('payload_too_large', 'The content stored for all recipients together exceeds 16 MiB');
  };
}

/** Returns the failure that refuses a whole request: that of its first message that fails. Null where none fails, or where each has an entry of its own in the answer. */
export function failureOfAll({ endpoint, allOrNothing }: SendRequest, results: readonly Result<unknown>[]): AppError | null {
  if (endpoint === 'batch' && !allOrNothing) return null;
  const index = results.findIndex((result) => 'failed' in result);
  const result = results[index];
  if (!result || !('failed' in result)) return null;
  const failed = endpoint !== 'batch' ? result.failed : inBatch(index, result.failed);
  // What a member of the body names is at fault, and not the message.
  return result.failed.details[0]?.path ? invalidRequest(failed.details) : failed;
}

/** Returns the failure of a message of a batch, with the message's index in the paths. */
function inBatch(index: number, { code, message, details, headers }: AppError): AppError {
  const prefixed = details.map((detail) => ({ ...detail, path: detail.path === '' ? `${index}` : `${index}.${detail.path}` }));
  return new AppError(code, message, prefixed, { headers });
}

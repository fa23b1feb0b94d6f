import { createHash } from 'node:crypto';
import { domainOf } from '../../platform/addresses';
import { perCore } from '../../platform/core';
import type { Context, ErrorDetail } from '../../platform/core';
import { sendersOf, unverifiedText } from '../domains';
import type { SenderHosts, Senders } from '../domains';
import type { InlineContent } from '../../records/emails';
import { sendFailed } from '../../platform/core';
import { RENDERER_VERSION, TemplateSyntaxError, compileContent, contentCompiler, isSameContent } from '../../message/template';
import type { CompiledContent, ContentSource } from '../../message/template';
import { trackingOf, untrackedOf } from '../../rules/tracking';
import { findTemplates } from '../templates';
import type { Template } from '../templates';
import type { Draft, SendMessage } from './types';

type Templates = ReadonlyMap<string, Template>;

/** Stored data that drafts are resolved against. */
export interface Grounds {
  readonly templates: Templates;
  readonly senders: Senders;
}

/** Loads all templates that the messages name, in one query, and the project's domains. */
export async function groundsOf(ctx: Context, messages: readonly SendMessage[]): Promise<Grounds> {
  const ids = new Set(messages.flatMap(({ templateId }) => (templateId === null ? [] : [templateId])));
  const [templates, senders] = await Promise.all([
    ids.size === 0 ? new Map<string, Template>() : findTemplates(ctx.projectId, [...ids]),
    sendersOf(ctx.core, ctx.project),
  ]);
  return { templates, senders };
}

/** Finds syntax faults in inline content, as 422 `invalid_template` details; stored templates were checked when saved. */
export function inlineFaults(
  { subject, html, text }: Pick<SendMessage, 'subject' | 'html' | 'text'>,
  path: string,
  compile: (source: ContentSource) => CompiledContent = compileContent,
): readonly ErrorDetail[] {
  try {
    compile({ subject: subject ?? '', html: html ?? (text === null ? '' : null), text });
    return [];
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return error.faults.map(({ field, line, column, message }) => ({
      path: path + field,
      code: 'invalid_template',
      message: `${message} (line ${line}, column ${column})`,
    }));
  }
}

function compileStored({ core }: Context, source: InlineContent): CompiledContent {
  try {
    return contentCompiler(core).compile(source);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw sendFailed('template_render_failed', 'The template does not compile with this subject');
  }
}

/** For a sender that only test mail may use. */
const NO_HOSTS: SenderHosts = {};

/** Resolves template and sender. Throws `send_failed`. */
export function draftMessage(ctx: Context, message: SendMessage, { templates, senders }: Grounds): Draft {
  const template = templateOf(message, templates);
  const source = sourceOf(message, template);
  const fromEmail = senderOf(ctx, message, template, senders);
  const type = message.type ?? template?.type ?? 'transactional';
  return {
    message,
    source,
    content: compileStored(ctx, source),
    contentHash: lastHash(ctx.core).of(ctx.projectId, source),
    type,
    untracked: untrackedOf(trackingOf([message.tracking, template?.tracking, ctx.project.tracking?.[type]])),
    fromEmail,
    hosts: senders.get(domainOf(fromEmail)) ?? NO_HOSTS,
    fromName: message.fromName ?? template?.fromName ?? null,
  };
}

function templateOf(message: SendMessage, templates: Templates): Template | null {
  if (message.templateId === null) return null;
  const template = templates.get(message.templateId);
  if (!template) throw sendFailed('template_not_found', 'There is no template with this id');
  return template;
}

const sourceOf = (message: SendMessage, template: Template | null): InlineContent => ({
  subject: message.subject ?? template?.subject ?? '',
  html: template?.body ?? message.html,
  text: message.text,
  previewText: message.previewText ?? null,
});

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

/** The latest content and its id: most messages of a batch share one content. */
class LastHash {
  private last: { readonly projectId: string; readonly source: InlineContent; readonly id: string } | null = null;

  of(projectId: string, source: InlineContent): string {
    if (this.last?.projectId !== projectId || !isSameContent(this.last.source, source)) {
      this.last = { projectId, source, id: hashContent(projectId, source) };
    }
    return this.last.id;
  }
}

const lastHash = perCore(() => new LastHash());

/** Derives the id under which a project's content is stored once. Prefixes each text with its length, since a text may contain any separator. */
export function hashContent(projectId: string, { subject, html, text, previewText }: InlineContent): string {
  const texts = [subject, html, text, previewText];
  const lengths = texts.map((each) => each?.length ?? -1).join();
  return createHash('sha256')
    .update(`${RENDERER_VERSION}/${projectId}/${lengths}/${texts.join('')}`)
    .digest('base64url');
}

import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import { hook } from '../../platform/hooks';
import type { Context } from '../../platform/core';
import { containing, findNamed } from '../../platform/mongo';
import { compileContent } from '../../message/template';
import type { Translation } from '../../rules/translations';
import { TemplateModel } from './model';
import type { Template } from './model';
import { findShowing } from '../files';
import type { FileSearch, FileUse } from '../files';

/** Names what of a room sends a template, or null; the answer is named by the kind of thing that it is (“workflow”). */
export const templateUsers =
  hook<(session: ClientSession, projectId: string, templateId: string) => Promise<string | null>>('what sends a template');

/** Throws 409 `in_use` while something active sends the template. */
export async function refuseWhileSent(session: ClientSession, projectId: string, templateId: string): Promise<void> {
  for (const [kind, ask] of templateUsers.named) {
    const name = await ask(session, projectId, templateId);
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” sends this template`);
  }
}

type Readable = Pick<Template, 'subject' | 'body' | 'variants'>;

/**
 * Resolves to the templates whose current content reads a custom field of contacts, newest first. One that reads `data` as a whole counts
 * when it names the field.
 */
export const templatesReading = ({ projectId }: Context, field: string): Promise<readonly Pick<Template, '_id' | 'name'>[]> =>
  findNamed(TemplateModel, {
    filter: { projectId, $or: [{ subject: containing(field) }, { body: containing(field) }, { variants: { $exists: true } }] },
    members: ['subject', 'body', 'variants'],
    isWanted: (template) => reads(template, field),
  });

const reads = (template: Readable, field: string): boolean =>
  [template, ...Object.values(template.variants ?? {})].some((content) => contentReads(content, field));

function contentReads({ subject, body }: Pick<Translation, 'subject' | 'body'>, field: string): boolean {
  const { placeholders, dataKeys } = compileContent({ subject, html: body, text: null });
  return placeholders.includes('data') && (dataKeys?.has(field) ?? (subject + body).includes(field));
}

/** Names a template of a topic; null when there is none. */
export async function templateOfTopic(session: ClientSession, projectId: string, topic: { readonly _id: string }): Promise<string | null> {
  const row = await TemplateModel.findOne({ projectId, topicId: topic._id }, { name: 1 }, { session }).lean<Pick<Template, 'name'>>();
  return row?.name ?? null;
}

/** Lists templates whose current version shows a picture, newest first. */
export const templatesShowing = (search: FileSearch): Promise<FileUse[]> => findShowing(TemplateModel.collection, 'template', search);

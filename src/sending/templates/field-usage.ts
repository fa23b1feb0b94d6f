import type { Context } from '../../platform/core';
import { containing } from '../../platform/mongo';
import { compileContent } from '../../message/template';
import { TemplateModel } from './model';
import type { Template } from './model';

type Readable = Pick<Template, '_id' | 'name' | 'subject' | 'body'>;

/** Templates whose current content reads a custom field of contacts, newest first. One that reads `data` as a whole counts when it names the field. */
export async function templatesReading(ctx: Context, field: string): Promise<readonly Pick<Template, '_id' | 'name'>[]> {
  const naming = { $or: [{ subject: containing(field) }, { body: containing(field) }] };
  const found = await TemplateModel.find({ projectId: ctx.projectId, ...naming }, { name: 1, subject: 1, body: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .lean<Readable[]>();
  return found.filter((template) => reads(template, field));
}

function reads({ subject, body }: Readable, field: string): boolean {
  const { placeholders, dataKeys } = compileContent({ subject, html: body, text: null });
  return placeholders.includes('data') && (dataKeys?.has(field) ?? (subject + body).includes(field));
}

import type { Context } from '../../platform/core';
import { containing } from '../../platform/mongo';
import { TemplateSyntaxError, compileContent } from '../../message/template';
import { fieldsAsked, fieldsChanged } from '../../rules/automation/filters';
import type { Graph } from '../../rules/automation/graph';
import { texts } from '../../rules/automation/texts';
import { readGraph } from './graphs';
import { AutomationModel } from './model';
import type { Automation } from './model';

type Readable = Pick<Automation, '_id' | 'name' | 'graph'>;

/** Finds automations whose graph reads or changes a custom field of contacts, newest first; drafts too. */
export async function automationsReading(ctx: Context, field: string): Promise<readonly Pick<Automation, '_id' | 'name'>[]> {
  const found = await AutomationModel.find({ projectId: ctx.projectId, graph: containing(field) }, { name: 1, graph: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .lean<Readable[]>();
  return found.filter(({ graph }) => mentions(readGraph(graph), field));
}

function mentions(graph: Graph | null, field: string): boolean {
  if (!graph) return false;
  const asks = fieldsAsked(graph, '').some(({ field: asked }) => asked === `data.${field}` || asked.startsWith(`data.${field}.`));
  return asks || fieldsChanged(graph).includes(field) || texts(graph).some(({ text }) => reads(text, field));
}

/** Whether a text reads a field. A text that cannot be parsed, as a draft may hold, reads none. */
function reads(text: string, field: string): boolean {
  if (!text.includes(field)) return false;
  try {
    const { placeholders, dataKeys } = compileContent({ subject: '', html: null, text });
    return placeholders.includes('data') && (dataKeys?.has(field) ?? true);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return false;
    throw error;
  }
}

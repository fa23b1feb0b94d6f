import { TemplateSyntaxError } from '../../message/template';
import { yielder } from '../../platform/async';
import type { Context } from '../../platform/core';
import { nodePaths } from '../../rules/automation/graph';
import type { Graph, NodeOf } from '../../rules/automation/graph';
import { findTemplates } from '../../sending/templates';
import { missingStrings, namedString } from '../../sending/translations';
import type { TranslatedTexts } from '../../sending/translations';
import { readGraph } from './graphs';
import { readAutomation } from './service';

/** Advice on a graph, and its place. Nothing is refused for it. */
interface GraphWarning {
  readonly path: string;
  readonly message: string;
}

/** Resolves to the content of a step, that of its template too; null without either. */
async function contentOf({ projectId }: Context, { config }: NodeOf<'send_email'>): Promise<TranslatedTexts | null> {
  if (!('templateId' in config)) return config;
  return (await findTemplates(projectId, [config.templateId])).get(config.templateId) ?? null;
}

const listed = (keys: readonly string[]): string => keys.map((key) => `{{${namedString(key)}}}`).join(', ');

async function gapsIn(ctx: Context, content: TranslatedTexts): Promise<readonly string[]> {
  try {
    const { languages, missing } = await missingStrings(ctx, content);
    const absent = missing(null);
    const lacking = languages.flatMap((language) => {
      const keys = missing(language).filter((key) => !absent.includes(key));
      return keys.length === 0 ? [] : [`No text in ${language} for ${listed(keys)}: readers get the default`];
    });
    return [...(absent.length === 0 ? [] : [`There is no translation ${listed(absent)}: readers see nothing in its place`]), ...lacking];
  } catch (error) {
    // A fault of the syntax has a finding of its own.
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return [];
  }
}

/** Finds the project's translations that messages of a graph read, and that do not exist or lack a text in a language. */
export async function findGraphWarnings(ctx: Context, graph: Graph): Promise<readonly GraphWarning[]> {
  const yieldWhenDue = yielder();
  const warnings: GraphWarning[] = [];
  for (const [node, path] of nodePaths(graph, 'graph')) {
    if (node.type !== 'send_email') continue;
    // One at a time: contents are large.
    const content = await contentOf(ctx, node);
    const gaps = content === null ? [] : await gapsIn(ctx, content);
    const member = 'templateId' in node.config ? 'templateId' : 'body';
    warnings.push(...gaps.map((message) => ({ path: `${path}.config.${member}`, message })));
    await yieldWhenDue();
  }
  return warnings;
}

/** Finds the same in the graph of a stored automation. Throws `not_found`. */
export async function findWarnings(ctx: Context, id: string): Promise<readonly GraphWarning[]> {
  const graph = readGraph((await readAutomation(ctx.projectId, id)).graph);
  return graph === null ? [] : findGraphWarnings(ctx, graph);
}

import { TemplateSyntaxError } from '../../message/template';
import { yielder } from '../../platform/async';
import type { Context } from '../../platform/core';
import { nodePaths } from '../../rules/automation/graph';
import type { Graph } from '../../rules/automation/graph';
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

interface Message {
  readonly path: string;
  readonly content: TranslatedTexts;
}

/** Lists the messages of a graph, those of templates too. */
async function messagesOf({ projectId }: Context, graph: Graph): Promise<readonly Message[]> {
  const sends = nodePaths(graph, 'graph').flatMap(([node, path]) => (node.type === 'send_email' ? [{ config: node.config, path }] : []));
  const ids = sends.flatMap(({ config }) => ('templateId' in config ? [config.templateId] : []));
  const templates = ids.length === 0 ? new Map<string, TranslatedTexts>() : await findTemplates(projectId, ids);
  return sends.flatMap(({ config, path }): readonly Message[] => {
    if (!('templateId' in config)) return [{ path: `${path}.config.body`, content: config }];
    const content = templates.get(config.templateId);
    return content ? [{ path: `${path}.config.templateId`, content }] : [];
  });
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
  for (const { path, content } of await messagesOf(ctx, graph)) {
    warnings.push(...(await gapsIn(ctx, content)).map((message) => ({ path, message })));
    await yieldWhenDue();
  }
  return warnings;
}

/** Finds the same in the graph of a stored automation. Throws `not_found`. */
export async function findWarnings(ctx: Context, id: string): Promise<readonly GraphWarning[]> {
  const graph = readGraph((await readAutomation(ctx.projectId, id)).graph);
  return graph === null ? [] : findGraphWarnings(ctx, graph);
}

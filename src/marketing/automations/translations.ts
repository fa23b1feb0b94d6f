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

const listed = (keys: readonly string[]): string => keys.map((key) => `{{${namedString(key)}}}`).join(', ');

async function gapsIn(ctx: Context, content: TranslatedTexts): Promise<readonly string[]> {
  try {
    const { languages, absent, lackingIn } = await missingStrings(ctx, content);
    const lacking = languages.flatMap((language) => {
      const keys = lackingIn(language);
      return keys.length === 0 ? [] : [`No text in ${language} for ${listed(keys)}: readers get the default`];
    });
    return [...(absent.length === 0 ? [] : [`There is no translation ${listed(absent)}: readers see nothing in its place`]), ...lacking];
  } catch (error) {
    // A fault of the syntax has a finding of its own.
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return [];
  }
}

/** Returns a function that lists the missing translations of a step's message. It checks each template once, even if several steps send it. */
function gapFinder(ctx: Context): (node: NodeOf<'send_email'>) => Promise<readonly string[]> {
  // Keeps the findings without the contents, which are large.
  const ofTemplates = new Map<string, readonly string[]>();
  return async ({ config }) => {
    if (!('templateId' in config)) return gapsIn(ctx, config);
    const { templateId } = config;
    const known = ofTemplates.get(templateId);
    if (known) return known;
    const template = (await findTemplates(ctx.projectId, [templateId])).get(templateId);
    const gaps = template ? await gapsIn(ctx, template) : [];
    ofTemplates.set(templateId, gaps);
    return gaps;
  };
}

/** Finds the project's translations that messages of a graph read, and that do not exist or lack a text in a language. */
export async function findGraphWarnings(ctx: Context, graph: Graph): Promise<readonly GraphWarning[]> {
  const yieldWhenDue = yielder();
  const gapsOf = gapFinder(ctx);
  const warnings: GraphWarning[] = [];
  for (const [node, path] of nodePaths(graph, 'graph')) {
    if (node.type !== 'send_email') continue;
    const member = 'templateId' in node.config ? 'templateId' : 'body';
    // One at a time: contents are large.
    warnings.push(...(await gapsOf(node)).map((message) => ({ path: `${path}.config.${member}`, message })));
    await yieldWhenDue();
  }
  return warnings;
}

/** Finds the same in the graph of a stored automation. Throws `not_found`. */
export async function findWarnings(ctx: Context, id: string): Promise<readonly GraphWarning[]> {
  const graph = readGraph((await readAutomation(ctx.projectId, id)).graph);
  return graph === null ? [] : findGraphWarnings(ctx, graph);
}

import { TemplateRenderError, TemplateSyntaxError } from '../../message/template';
import type { ContactFields, ContentCompiler } from '../../message/template';
import type { Contact } from '../../audience/contacts';
import { hasPlaceholder, purePath } from '../../rules/automation/placeholders';
import type { Automation } from './model';
import { invalid } from '../../platform/core';
import type { Context } from '../../platform/core';
import type { ContactUpdate } from '../../rules/automation/nodes/on-contact';
import type { ContactChange } from '../../rules/contact-change';
import { cutText } from '../../rules/cut-text';
import { isTimeZone } from '../../rules/zoned-time';
import type { DigestItem } from '../../rules/automation/digest';
import type { Execution } from './execution-model';
import { yielder } from '../../platform/async';
import { nodePaths } from '../../rules/automation/graph';
import type { Graph, NodeOf } from '../../rules/automation/graph';
import { findTemplates } from '../../sending/templates';
import { missingStrings, namedString } from '../../sending/translations';
import type { TranslatedTexts } from '../../sending/translations';
import { readGraph } from './graphs';
import { readAutomation } from './service';

type Data = Readonly<Record<string, unknown>>;

/** The data that a node's placeholders read, and what compiles its texts. */
export interface Scope {
  readonly compiler: ContentCompiler;
  readonly variables: Data;
  readonly contact: ContactFields;
}

/** Only messages have these links. */
const NO_LINKS = { unsubscribeUrl: '', preferencesUrl: '', viewInBrowserUrl: '' };
const PLAIN = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };

/** Merges variables; `event`, `workflow` and the `items` of a digest override a node's own. */
export const variablesOf = (
  { _id, name }: Pick<Automation, '_id' | 'name'>,
  { trigger: event, items }: Happened,
  own: Data = {},
): Data => ({
  ...own,
  ...(items && { items }),
  event,
  workflow: { workflowId: _id, name },
});

/** Picks what placeholders may read of a contact. */
export const fieldsOf = ({ _id, email, firstName, lastName, locale, data }: Contact): ContactFields => ({
  contactId: _id,
  email,
  firstName,
  lastName,
  locale,
  data,
});

/** Replaces the placeholders of a text without escaping. Throws `TemplateRenderError`. */
export function renderText(text: string, { compiler, variables, contact }: Scope): string {
  if (!text.includes('{{')) return text;
  const content = compiler.compile({ subject: '', html: null, text });
  const system = { ...NO_LINKS, year: new Date().getUTCFullYear() };
  return content.render(content.valuesFor(variables, contact), system, PLAIN).text;
}

/** Replaces placeholders in all texts of a JSON value; other values and keys stay. */
export function renderAll(value: unknown, scope: Scope): unknown {
  return mapTexts(value, (text) => renderText(text, scope));
}

/**
 * Replaces placeholders in a JSON value that is compared with others: a text that is one placeholder becomes its value, with its type. If
 * there is no value, or a text cannot be rendered, the result is undefined, which equals nothing.
 */
export const filled = (value: unknown, scope: Scope): unknown =>
  mapTexts(value, (text) => (hasPlaceholder(text) ? valueOf(text, scope) : text));

function valueOf(text: string, scope: Scope): unknown {
  const path = purePath(text);
  if (path) {
    const content = scope.compiler.compile({ subject: '', html: null, text });
    return path.reduce<unknown>(memberOf, content.valuesFor(scope.variables, scope.contact));
  }
  try {
    return renderText(text, scope);
  } catch (error) {
    if (error instanceof TemplateRenderError) return undefined;
    throw error;
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Data)[name] : undefined;

/** Percent-encodes the texts of a scope (RFC 3986), so that no value can change a URL's structure. */
export const encoded = ({ compiler, variables, contact }: Scope): Scope => ({
  compiler,
  variables: mapTexts(variables, encode) as Data,
  contact: mapTexts(contact, encode) as ContactFields,
});

/** Encodes a text; a lone surrogate has no UTF-8 and becomes the replacement character. */
const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as unknown[]).map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]));
}

const MAX_LENGTH = 200;
const LINE_BREAKERS = /[\r\n\0]+/g;

/** Returns the change of an `update_contact` node, its placeholders replaced. Throws 422 for an unknown language or time zone. */
export function contactChange({ firstName, lastName, locale, timezone, data, subscribed }: ContactUpdate, scope: Scope): ContactChange {
  return {
    firstName: line(firstName, scope),
    lastName: line(lastName, scope),
    locale: language(line(locale, scope)),
    timezone: zone(line(timezone, scope)),
    data: data && (renderAll(data, scope) as ContactChange['data']),
    subscribed,
  };
}

/** Renders a name: one line of limited length. */
function line(text: string | null | undefined, scope: Scope): string | null | undefined {
  if (text === null || text === undefined) return text;
  return cutText(renderText(text, scope).replace(LINE_BREAKERS, ' '), MAX_LENGTH);
}

/** Checks a language; an empty value, as of an unresolved placeholder, changes nothing. */
function language(text: string | null | undefined): string | null | undefined {
  if (text === '') return undefined;
  if (text === null || text === undefined) return text;
  try {
    return new Intl.Locale(text).language === '' ? undefined : text;
  } catch {
    throw invalid('locale', 'invalid_string', 'The locale is not a BCP 47 language tag');
  }
}

/** Checks a time zone; an empty value changes nothing. */
function zone(text: string | null | undefined): string | null | undefined {
  if (text === '') return undefined;
  if (text === null || text === undefined || isTimeZone(text)) return text;
  throw invalid('timezone', 'invalid_string', 'The time zone is unknown');
}

/** The events of an execution, as conditions and templates read them. */
export interface Happened {
  /** Data of the triggering event. */
  readonly trigger: Data;
  /** The events that its digest has gathered. */
  readonly items?: readonly DigestItem[];
}

/** Reads what has happened from an execution's document. */
export const happenedIn = ({ data, items }: Pick<Execution, 'data' | 'items'>): Happened => ({
  trigger: JSON.parse(data) as Data,
  ...(items && { items: items.map((item) => ({ name: item.name, data: JSON.parse(item.data) as Data, at: item.at.toISOString() })) }),
});

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

import { fileTypeOf, isKeyed, referred } from './client-methods';
import type { Operation, Paths, Schema } from './client-methods';
import type { Json } from './components';

type FlagType = 'text' | 'number' | 'boolean' | 'list' | 'json';

interface Flag {
  readonly name: string;
  readonly type: FlagType;
  readonly values?: readonly string[];
  readonly help: string;
}

/** Operations that a command line has no use for: probes, and the document itself. */
const WITHOUT: ReadonlySet<string> = new Set(['getLive', 'getReady', 'getOpenApi']);

const VERBS_LEFT_OUT: ReadonlySet<string> = new Set(['get', 'list', 'read']);

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');

/** Operations whose short name another one needs more: they keep their verb. */
const WITH_VERB: ReadonlySet<string> = new Set(['getImport']);

/** Returns the words of a command: the resource, and what to do with it, such as `campaigns send` or `contacts timeline`. */
function commandOf(path: string, operationId: string): readonly string[] {
  const [, version, first = ''] = path.split('/');
  const group = version === 'v1' ? first : 'billing';
  if (group === 'send') return [wordsOf(operationId).join('-')];
  // Blocks are saved ones: that is what the resource is.
  const own = new Set([group, group.replace(/s$/, ''), ...(group === 'blocks' ? ['saved'] : [])]);
  const rest = wordsOf(operationId).filter((word) => !own.has(word));
  const [verb = 'get', ...object] = rest;
  const isLeftOut = VERBS_LEFT_OUT.has(verb) && object.length > 0 && !WITH_VERB.has(operationId);
  return [group, (isLeftOut ? object : [verb, ...object]).join('-')];
}

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat());

/** Returns how a value is written on a command line: as text where a member takes text in any of its forms. */
function typeOf(schema: Schema): FlagType {
  const forms = (schema.anyOf ?? schema.oneOf ?? [schema]).filter((form) => form.type !== 'null');
  const lists = forms.filter((form) => form.type === 'array');
  const takesText = (form: Schema): boolean => typesOf(form).includes('string') || form.enum !== undefined;
  if (lists.some(({ items = {} }) => (items.anyOf ?? [items]).some(takesText))) return 'list';
  if (forms.some(takesText)) return 'text';
  const types = new Set(forms.flatMap(typesOf));
  if (types.has('integer') || types.has('number')) return 'number';
  return types.size > 0 && [...types].every((type) => type === 'boolean' || type === 'null') ? 'boolean' : 'json';
}

const firstSentence = (text = ''): string =>
  text.replace(/^An extension of this implementation[:,]? ?/, '').split(/[.;](?: (?=[A-Z]|default)|$)/)[0] ?? '';

function flagOf(name: string, schema: Schema, description = schema.description): Flag {
  const values = schema.enum?.filter((value): value is string => typeof value === 'string');
  return { name, type: typeOf(schema), ...(values && values.length > 0 && { values }), help: firstSentence(description) };
}

function bodyOf({ requestBody }: Operation, schemas: Readonly<Record<string, Schema>>): readonly Flag[] | null {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return null;
  const resolved = (given: Schema): Schema => ({ ...schemas[referred(given) ?? ''], ...given });
  const { properties = {} } = resolved(schema);
  return Object.entries(properties).map(([name, member]) => flagOf(name, resolved(member)));
}

function commandFrom(path: string, operation: Operation, schemas: Readonly<Record<string, Schema>>): Json {
  const within = (where: string) => operation.parameters.filter((parameter) => parameter.in === where);
  const body = bodyOf(operation, schemas);
  return {
    words: [...commandOf(path, operation.operationId)],
    operation: operation.operationId,
    help: operation.summary,
    ids: within('path').map(({ name }) => name),
    query: within('query').map(({ name, schema, description }) => ({ ...flagOf(name, schema, description) })),
    body: body && body.map((flag) => ({ ...flag })),
    upload: fileTypeOf(operation) !== undefined,
    keyed: isKeyed(operation),
  } satisfies Json;
}

const HEAD = `// Made from docs/openapi.json by \`npm run docs\`.
import type { Command } from './command.ts';

/** One command for each operation. */
export const COMMANDS: readonly Command[] = [
`;

/** Returns the table of commands of the command line, of the operations of a document. */
export function commandTable(document: Json): string {
  const { paths, components } = document as unknown as {
    paths: Paths;
    components: { schemas: Record<string, Schema> };
  };
  const commands = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.values(verbs)
      .filter(({ operationId }) => !WITHOUT.has(operationId))
      .map((operation) => commandFrom(path, operation, components.schemas)),
  );
  return `${HEAD}${commands.map((command) => `  ${JSON.stringify(command)},`).join('\n')}\n];\n`;
}

import { ROWS_OF_PAGE, about, answerOf, fileTypeOf, isKeyed, referred } from './client-methods';
import type { Operation, Paths, Schema } from './client-methods';
import type { Json } from './components';

const HEAD = `// Made from docs/openapi.json by \`npm run docs\`.
import type { Pages } from './pages.ts';
import type { components, operations } from './schema.ts';
import { Transport } from './transport.ts';
import type { LettermillOptions, RequestOptions } from './transport.ts';

type Schemas = components['schemas'];
type Query<O extends keyof operations> = Omit<NonNullable<operations[O]['parameters']['query']>, 'cursor'>;

/** A Lettermill and a key: one method for each operation. */
export class Lettermill {
  private readonly transport: Transport;

  constructor(options: LettermillOptions) {
    this.transport = new Transport(options);
  }
`;

const nameOf = (schema: Schema): string | null => {
  const name = referred(schema);
  return name === undefined ? null : `Schemas['${name}']`;
};

function typeOf(operation: Operation): string {
  const { status, schema, unwrap } = answerOf(operation);
  if (!schema) return unwrap === 'bytes' ? 'Uint8Array' : 'string';
  const whole = `operations['${operation.operationId}']['responses'][${status}]['content']['application/json']`;
  return nameOf(schema) ?? { json: whole, data: `${whole}['data']`, pages: 'unknown', text: '', bytes: '' }[unwrap];
}

interface Given {
  readonly parameters: readonly string[];
  readonly request: readonly string[];
}

/** Returns what a method takes: ids, then the body or the file, then the query. */
function givenOf(operation: Operation, path: string, isWhole: boolean): Given {
  const { operationId, parameters, requestBody } = operation;
  const within = (where: string) => parameters.filter((parameter) => parameter.in === where);
  const body = nameOf(requestBody?.content['application/json']?.schema ?? {});
  const optional = requestBody?.required === false ? ' = {}' : '';
  const fileType = fileTypeOf(operation);
  const query = within('query');
  const mark = query.some(({ required }) => required) ? '' : '?';
  return {
    parameters: [
      ...within('path').map(({ name }) => `${name}: string`),
      ...only(body !== null, `body: ${body}${optional}`),
      ...only(fileType !== undefined, 'file: string | Blob | Uint8Array'),
      ...only(query.length > 0, `query${mark}: Query<'${operationId}'>`),
      'options?: RequestOptions',
    ],
    request: [
      `path: \`${path.replaceAll(/\{(\w+)\}/g, '${encodeURIComponent($1)}')}\``,
      ...only(query.length > 0, isWhole ? `query: { limit: ${ROWS_OF_PAGE}, ...query }` : 'query'),
      ...only(body !== null, 'body'),
      ...only(fileType !== undefined, `file, fileType: '${fileType}'`),
      ...only(isKeyed(operation), 'keyed: true'),
    ],
  };
}

const only = (there: boolean, part: string): readonly string[] => (there ? [part] : []);

const comment = (operation: Operation): string => `  /** ${about(operation).replaceAll('*/', '* /')} */`;

function method(verb: string, path: string, operation: Operation): string {
  const { unwrap, isWhole = false } = answerOf(operation);
  const type = typeOf(operation);
  const { parameters, request } = givenOf(operation, path, isWhole);
  const asked = `{ method: '${verb.toUpperCase()}', ${request.join(', ')} }`;
  const signature = `  ${operation.operationId}(${parameters.join(', ')})`;
  const lines =
    unwrap === 'pages'
      ? [`${signature}: Pages<${type}> {`, `    return this.transport.pages(${asked}, options) as Pages<${type}>;`]
      : [`${signature}: Promise<${type}> {`, `    return this.transport.call(${asked}, '${unwrap}', options) as Promise<${type}>;`];
  return ['', comment(operation), ...lines, '  }'].join('\n');
}

// The server checks which members go together: as types they would say little, and refuse what is put together piece by piece.
const withoutConstraints = (schema: unknown): Json => {
  const { allOf: _, ...members } = schema as Json;
  return members;
};

/** Returns the document without what the client says once for all operations, failures and headers, and without what is no type. */
export function ofSuccess(document: Json): Json {
  const { paths, components, ...rest } = structuredClone(document) as {
    paths: Record<string, Record<string, Operation>>;
    components: Json;
  };
  const schemas = Object.fromEntries(
    Object.entries(components['schemas'] as Json).map(([name, schema]) => [name, withoutConstraints(schema)]),
  );
  const kept = Object.entries(paths).map(([path, verbs]) => [
    path,
    Object.fromEntries(Object.entries(verbs).map(([verb, operation]) => [verb, succeeding(operation)])),
  ]);
  return { ...rest, paths: Object.fromEntries(kept) as Json, components: { schemas } };
}

function succeeding(operation: Operation): Json {
  const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return {
    ...operation,
    responses: Object.fromEntries(good.map(([status, { content }]) => [status, { description: operation.summary, content }])),
  };
}

/** Returns the class of the TypeScript client, of the operations of a document. */
export function typescriptClient(document: Json): string {
  const methods = Object.entries(document['paths'] as Paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => method(verb, path, operation)),
  );
  return `${HEAD}${methods.join('\n')}\n}\n`;
}

import { ROWS_OF_PAGE, about, answerOf, fileTypeOf, isKeyed, referred } from './client-methods';
import type { Operation, Paths, Schema } from './client-methods';
import type { Json } from './components';
import { MADE, argumentName, docstring } from './python-types';
import type { PythonTypes } from './python-types';

/** The manner in which a client calls: at once, or awaited. */
interface Manner {
  readonly name: string;
  readonly pages: string;
  readonly transport: string;
  readonly define: string;
  readonly wait: string;
}
const SYNC: Manner = { name: 'Operations', pages: 'Pages', transport: 'Transport', define: 'def', wait: '' };
const ASYNC: Manner = {
  name: 'AsyncOperations',
  pages: 'AsyncPages',
  transport: 'AsyncTransport',
  define: 'async def',
  wait: 'await ',
};

interface Argument {
  readonly name: string;
  /** Its name in the API. */
  readonly wire: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly absent: string;
  readonly description: string | undefined;
}

const OPTIONS = ['timeout: Optional[float] = None', 'max_retries: Optional[int] = None'];
const KEY = 'idempotency_key: Optional[str] = None';

function queryOf({ operationId, parameters }: Operation, types: PythonTypes): readonly Argument[] {
  return parameters
    .filter(({ in: where, name }) => where === 'query' && name !== 'cursor')
    .map(({ name, required, description, schema }) => ({
      name: argumentName(name),
      wire: name,
      isRequired: required,
      description,
      type: required ? types.typeOf(schema, operationId) : `Optional[${types.typeOf(schema, operationId)}]`,
      absent: 'None',
    }));
}

function bodyOf(operation: Operation, types: PythonTypes, schemas: Readonly<Record<string, Schema>>): readonly Argument[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const name = schema && referred(schema);
  if (name === undefined) return [];
  const { properties = {}, required = [] } = schemas[name] ?? {};
  return Object.entries(types.membersOf(name)).map(([member, type]) => ({
    name: argumentName(member),
    wire: member,
    isRequired: required.includes(member),
    type: required.includes(member) ? type : `Union[${type.replace(/^Union\[(.*)\]$/, '$1')}, NotGiven]`,
    absent: 'NOT_GIVEN',
    description: properties[member]?.description,
  }));
}

const declared = ({ name, type, isRequired, absent }: Argument): string => `${name}: ${type}${isRequired ? '' : ` = ${absent}`}`;
const asDict = (given: readonly Argument[], first = ''): string =>
  `{${[...(first ? [first] : []), ...given.map(({ name, wire }) => `"${wire}": ${name}`)].join(', ')}}`;

function documented(operation: Operation, given: readonly Argument[]): string {
  const lines = given.flatMap(({ name, description }) => (description === undefined ? [] : [`            ${name}: ${description}`]));
  const all = [about(operation), ...(lines.length > 0 ? ['', '        Args:', ...lines, '        '] : [])];
  return docstring(all.join('\n'));
}

class Methods {
  constructor(
    private readonly manner: Manner,
    private readonly types: PythonTypes,
    private readonly schemas: Readonly<Record<string, Schema>>,
  ) {}

  method(verb: string, path: string, operation: Operation): string {
    const { manner } = this;
    const { schema, unwrap, isWhole = false } = answerOf(operation);
    const type = schema ? this.types.typeOf(schema, operation.operationId) : unwrap === 'bytes' ? 'bytes' : 'str';
    const body = bodyOf(operation, this.types, this.schemas);
    const query = queryOf(operation, this.types);
    const request = this.request(verb, path, operation, body, query, isWhole);
    const [define, returned, call] =
      unwrap === 'pages'
        ? ['def', `${manner.pages}[${type}]`, `self._transport.pages(${request})`]
        : [manner.define, type, `cast(${JSON.stringify(type)}, ${manner.wait}self._transport.call(${request}, "${unwrap}"))`];
    return [
      '',
      `    ${define} ${argumentName(operation.operationId)}(`,
      ...this.signature(operation, [...body, ...query]).map((line) => `        ${line},`),
      `    ) -> ${returned}:`,
      `        ${documented(operation, [...body, ...query])}`,
      `        return ${call}`,
    ].join('\n');
  }

  private signature(operation: Operation, given: readonly Argument[]): readonly string[] {
    const ids = operation.parameters.filter(({ in: where }) => where === 'path').map(({ name }) => `${argumentName(name)}: str`);
    const files = fileTypeOf(operation) !== undefined ? ['file: Union[str, bytes]'] : [];
    const positional = [...ids, ...files];
    return [
      'self',
      ...positional,
      ...(positional.length > 0 ? ['/'] : []),
      '*',
      ...given.map(declared),
      ...(isKeyed(operation) ? [KEY] : []),
      ...OPTIONS,
    ];
  }

  private request(
    verb: string,
    path: string,
    operation: Operation,
    body: readonly Argument[],
    query: readonly Argument[],
    isWhole: boolean,
  ): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{quoted(${argumentName(name)})}`);
    const fileType = fileTypeOf(operation);
    const hasLimit = query.some(({ wire }) => wire === 'limit');
    const limited = query.map((each) =>
      isWhole && each.wire === 'limit' ? { ...each, name: `${ROWS_OF_PAGE} if limit is None else limit` } : each,
    );
    if (isWhole && !hasLimit) throw new Error(`${operation.operationId} has pages and no limit`);
    return `Request(${[
      `"${verb.toUpperCase()}"`,
      filled === path ? `"${path}"` : `f"${filled}"`,
      ...(query.length > 0 ? [`query=${asDict(limited)}`] : []),
      ...(operation.requestBody?.content['application/json'] ? [`body=${asDict(body)}`] : []),
      ...(fileType !== undefined ? ['file=file', `file_type="${fileType}"`] : []),
      ...(isKeyed(operation) ? ['keyed=True', 'idempotency_key=idempotency_key'] : []),
      'timeout=timeout',
      'max_retries=max_retries',
    ].join(', ')})`;
  }
}

function moduleOf(document: Json, types: PythonTypes, manner: Manner): string {
  const { schemas } = document['components'] as { schemas: Readonly<Record<string, Schema>> };
  const methods = new Methods(manner, types, schemas);
  const text = Object.entries(document['paths'] as Paths)
    .flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, operation]) => methods.method(verb, path, operation)))
    .join('\n');
  return `${MADE}"""One method for each operation of the API."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, Union, cast

from ._pages import ${manner.pages}
from ._requests import NOT_GIVEN, NotGiven, Request, quoted
from ._transport import ${manner.transport}
from .types import (
${types
  .namedIn(text.replaceAll(/"""[^]*?"""/g, ''))
  .map((name) => `    ${name},\n`)
  .join('')})


class ${manner.name}:
    _transport: ${manner.transport}
${text}
`;
}

/** Returns the modules with the methods of the Python client, of the operations of a document. */
export const pythonOperations = (document: Json, types: PythonTypes): { readonly sync: string; readonly async: string } => ({
  sync: moduleOf(document, types, SYNC),
  async: moduleOf(document, types, ASYNC),
});

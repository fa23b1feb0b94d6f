import { referred } from './client-methods';
import type { Schema } from './client-methods';
import type { Json } from './components';
import { pascal } from './pascal';

export const MADE = '# Made from docs/openapi.json by `npm run docs`.\n';

const HEAD = `${MADE}"""What the API takes and returns, under the names of the API."""

from __future__ import annotations

import sys
from typing import Any, Literal, Mapping, Optional, Sequence, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict
`;

const KEYWORDS =
  /^(and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/;
const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.test(text);

/** Returns the name of an argument: `replyTo` is `reply_to`, and `from` is `from_`. */
export function argumentName(name: string): string {
  const snake = name.replaceAll(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
  return isName(snake) ? snake : `${snake}_`;
}

/** Returns the docstring of a text. */
export const docstring = (text: string): string =>
  `"""${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', String.raw`\"""`)
    .replace(/"$/, String.raw`\"`)}"""`;

const literal = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value));

const PLAIN: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

function unionOf(types: readonly string[]): string {
  const others = [...new Set(types)].filter((type) => type !== 'None');
  if (others.includes('Any')) return 'Any';
  const [first = 'None', ...rest] = others;
  const one = rest.length === 0 ? first : `Union[${others.join(', ')}]`;
  return types.includes('None') && others.length > 0 ? `Optional[${one}]` : one;
}

/** The types of a document: each of its components, and each object within one under a name of its own. */
export class PythonTypes {
  private readonly written: string[] = [];
  private readonly names: Set<string>;
  private readonly members = new Map<string, Readonly<Record<string, string>>>();

  constructor(document: Json) {
    const { schemas } = document['components'] as { schemas: Readonly<Record<string, Schema>> };
    this.names = new Set(Object.keys(schemas));
    for (const [name, schema] of Object.entries(schemas)) this.component(name, schema);
    const events = Object.values(document['webhooks'] as Record<string, { post: { requestBody: Content } }>);
    const payloads = events.map(({ post }) => this.typeOf(post.requestBody.content['application/json'].schema, ''));
    this.alias('WebhookEvent', unionOf(payloads), 'What a webhook endpoint receives');
    this.alias('ErrorCode', this.typeOf(schemas['Error']?.properties?.['code'] ?? {}, 'ErrorCode'), 'Every code that a failure may have');
  }

  /** The text of the module. */
  get text(): string {
    return `${HEAD}\n${this.written.join('\n')}`;
  }

  /** Returns the types of the members of a component. */
  membersOf(name: string): Readonly<Record<string, string>> {
    const members = this.members.get(name);
    if (!members) throw new Error(`${name} is no object, and cannot be given as arguments`);
    return members;
  }

  /** Returns the types that a text names. */
  namedIn(text: string): readonly string[] {
    return [...new Set(text.match(/\b[A-Z]\w*/g))].filter((word) => this.names.has(word)).toSorted();
  }

  /** Returns the type of a schema; an object in it gets the name. */
  typeOf(schema: Schema, name: string): string {
    const component = referred(schema);
    if (component !== undefined) return component;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return unionOf(choices.map((choice) => this.typeOf(choice, name)));
    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (values) return `Literal[${values.map(literal).join(', ')}]`;
    const kinds = [schema.type ?? []].flat();
    return unionOf(kinds.length === 0 ? ['Any'] : kinds.map((kind) => this.kindOf(kind, schema, name)));
  }

  private kindOf(kind: string, schema: Schema, name: string): string {
    const { items = {}, properties, additionalProperties: more } = schema;
    if (kind === 'array') return `Sequence[${this.typeOf(items, `${name}Item`)}]`;
    if (kind !== 'object') return PLAIN[kind] ?? 'Any';
    if (properties) return typeof more === 'object' ? 'Mapping[str, Any]' : this.object(this.free(name), schema);
    return `Mapping[str, ${typeof more === 'object' ? this.typeOf(more, `${name}Value`) : 'Any'}]`;
  }

  private free(name: string): string {
    const free = [name, ...Array.from({ length: 99 }, (_, at) => `${name}${at + 2}`)].find((each) => !this.names.has(each)) ?? name;
    this.names.add(free);
    return free;
  }

  private component(name: string, schema: Schema): void {
    if (schema.properties) this.object(name, schema);
    else this.alias(name, this.typeOf(schema, name), schema.description);
  }

  private alias(name: string, type: string, description = ''): void {
    this.names.add(name);
    const shown = type.replaceAll(/(?<!")\b[A-Z]\w*/g, (word) => (this.names.has(word) ? `"${word}"` : word));
    this.written.push(`\n${name} = ${shown}\n${docstring(description)}\n`);
  }

  private object(name: string, { description, properties = {}, required = [] }: Schema): string {
    const members = Object.entries(properties).map(([member, schema]): [string, Schema, string] => [
      member,
      schema,
      this.typeOf(schema, `${name}${pascal(member.replaceAll(/\W/g, '_')).replace(/^./, (first) => first.toUpperCase())}`),
    ]);
    this.members.set(name, Object.fromEntries(members.map(([member, , type]) => [member, type])));
    const typed = members.map(([member, schema, type]): [string, Schema, string] => [
      member,
      schema,
      required.includes(member) ? type : `NotRequired[${type}]`,
    ]);
    this.written.push(members.every(([member]) => isName(member)) ? asClass(name, description, typed) : asCall(name, description, typed));
    return name;
  }
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}
type Members = readonly (readonly [member: string, schema: Schema, type: string])[];

function asClass(name: string, description: string | undefined, members: Members): string {
  const lines = members.flatMap(([member, schema, type]) => [
    `    ${member}: ${type}`,
    ...(schema.description === undefined ? [] : [`    ${docstring(schema.description)}`]),
  ]);
  const shown = [...(description === undefined ? [] : [`    ${docstring(description)}`, '']), ...lines];
  return `\nclass ${name}(TypedDict):\n${(shown.length > 0 ? shown : ['    pass']).join('\n')}\n`;
}

/** Returns the Python type of an object with a member that is no name in Python. */
function asCall(name: string, description: string | undefined, members: Members): string {
  const lines = members.flatMap(([member, schema, type]) => [
    ...(schema.description === undefined ? [] : [`        # ${schema.description.replaceAll('\n', ' ')}`]),
    `        ${JSON.stringify(member)}: ${JSON.stringify(type).replaceAll(String.raw`\"`, "'")},`,
  ]);
  const after = description === undefined ? '' : `${docstring(description)}\n`;
  return `\n${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)\n${after}`;
}

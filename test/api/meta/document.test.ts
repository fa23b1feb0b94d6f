import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '../../../api/openapi/document';
import { MEANINGS } from '../../../api/openapi/failures';
import { SYSTEM_EVENTS, payloadName } from '../../../api/openapi/webhooks';
import { WORD_NAMES } from '../../../api/openapi/words';
import { extensions, rooms } from '../../../api/rooms';
import { STATUS } from '../../../api/http/errors';
import { allWell } from '../../support/platform/app';

const ROOT = path.join(__dirname, '../../..');

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>> };
  readonly parameters: readonly { readonly name: string; readonly description?: string; readonly schema: Schema }[];
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}
interface Document {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, { readonly description: string; readonly headers: object }>>;
  };
}

const endpoints = [
  ...rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) }),
  ...extensions(allWell),
];
const document = openApiDocument(endpoints) as unknown as Document;
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** `visit`s every property of a schema, at any depth, with the names that lead to it. */
function eachProperty(where: string, schema: unknown, visit: (path: string, property: Schema) => void): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, example: _example, examples: _examples, ...rest } = schema as Schema;
  for (const [name, property] of Object.entries(properties ?? {})) {
    visit(`${where}.${name}`, property);
    eachProperty(`${where}.${name}`, property, visit);
  }
  for (const part of Object.values(rest)) eachProperty(where, part, visit);
}

const isSaid = ({ $ref, description }: Schema): boolean => (description ?? schemas[$ref?.split('/').pop() ?? '']?.description ?? '') !== '';

describe('every part says what it is', () => {
  const how = 'give it .meta({ description }), or a word in api/openapi/words';

  test('components and their properties', () => {
    const silent: string[] = [];
    for (const [name, schema] of Object.entries(schemas)) {
      if (!schema.description) silent.push(name);
      eachProperty(name, schema, (where, property) => {
        if (!isSaid(property)) silent.push(where);
      });
    }
    expect({ how, silent }).toEqual({ how, silent: [] });
  });

  test('operations: parameters, bodies and answers', () => {
    const silent: string[] = [];
    for (const operation of operations) {
      for (const parameter of operation.parameters) if (!parameter.description) silent.push(`${operation.operationId}?${parameter.name}`);
      eachProperty(operation.operationId, { ...operation, parameters: [] }, (where, property) => {
        if (!isSaid(property)) silent.push(where);
      });
    }
    expect({ how, silent }).toEqual({ how, silent: [] });
  });

  test('and nothing is said of null where there is none', () => {
    const wrong: string[] = [];
    for (const [name, schema] of Object.entries(schemas)) {
      eachProperty(name, schema, (where, { $ref, description = '', ...property }) => {
        const admitsNull = JSON.stringify({ ...property, properties: {} }).includes('"null"');
        if (!$ref && /; null (where|until|before|for)\b/.test(description) && !admitsNull) wrong.push(`${where}: ${description}`);
      });
    }
    expect(wrong).toEqual([]);
  });

  test('and extensions say that they are', () => {
    const silent: string[] = [];
    for (const [name, schema] of Object.entries(schemas)) {
      eachProperty(name, schema, (where, property) => {
        if (property['x-extension'] === true && !/\bextension\b/i.test(property.description ?? '')) silent.push(where);
      });
    }
    expect(silent).toEqual([]);
  });

  test('groups, and the whole', () => {
    expect(document.tags.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
    expect(document.info.description).toMatch(/^## Webhooks$/m);
  });

  test('no word is left over', () => {
    const used = new Set<string>(Object.keys(schemas));
    const note = (where: string): void => {
      const names = where.split('.');
      used.add(`${names[0]}.${names.at(-1)}`).add(names.at(-1) ?? '');
    };
    for (const [name, schema] of Object.entries(schemas)) eachProperty(name, schema, note);
    for (const operation of operations) {
      for (const { name } of operation.parameters) note(`${operation.operationId}.${name}`);
      eachProperty(operation.operationId, operation.responses, note);
    }
    expect(WORD_NAMES.filter((name) => !used.has(name))).toEqual([]);
  });
});

test('every body of a request is a component with a name', () => {
  const unnamed = operations.filter(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some(({ schema }) => schema.type !== 'string' && !schema.$ref),
  );
  expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
  expect(schemas).toMatchObject({ Message: {}, CreateCampaignRequest: {}, ImportContactsRequest: { required: ['file'] } });
});

test('no component is made by a generator, or of itself without a name', () => {
  expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
});

test('a flag is a boolean', () => {
  const flags = operations.flatMap(({ parameters }) => parameters.filter(({ schema }) => schema['type'] === 'boolean'));
  expect(flags.length).toBeGreaterThan(2);
  for (const { schema } of flags) expect(schema).not.toHaveProperty('enum');
});

test('every operation shows an example of its answer, and of its body where it has one', () => {
  const how = 'Add it to api/openapi/story.ts, then: RECORD_EXAMPLES=1 npx jest test/api/meta/examples && npm run docs';
  const lacking = operations.filter(({ requestBody, responses }) => {
    const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
    const isBinary = Object.values(requestBody?.content ?? {}).every(({ schema }) => schema.format === 'binary');
    const shown = [answer?.content, isBinary ? undefined : requestBody?.content].flatMap((content) =>
      content ? [Object.values(content)] : [],
    );
    return shown.some((forms) => forms.every(({ example }) => example === undefined));
  });
  expect({ how, lacking: lacking.map(({ operationId }) => operationId) }).toEqual({ how, lacking: [] });
});

test('every failure names its codes and says what they mean', () => {
  for (const operation of operations) {
    const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    for (const [status, { $ref }] of failures) {
      const description = document.components.responses[$ref?.split('/').pop() ?? '']?.description ?? '';
      const codes = [...description.matchAll(/^- `(\w+)`: .{12}/gm)].map(([, code]) => code as keyof typeof STATUS);
      expect([operation.operationId, status, codes.map((code) => STATUS[code])]).toEqual([
        operation.operationId,
        status,
        codes.map(() => Number(status)),
      ]);
      expect(codes.length).toBeGreaterThan(0);
    }
  }
  expect(Object.keys(MEANINGS).sort()).toEqual(Object.keys(STATUS).sort());
});

test('every event of the system has its payload, and so have custom events', () => {
  expect(Object.keys(document.webhooks)).toEqual([...Object.keys(SYSTEM_EVENTS), 'own']);
  for (const name of Object.keys(SYSTEM_EVENTS)) {
    expect(schemas[payloadName(name)]).toMatchObject({ properties: { type: { const: name }, data: { type: 'object' } } });
  }
});

test("Redocly's recommended rules find no error, and no warning but those that are meant", async () => {
  const script = [
    "import { createConfig, lintFromString } from '@redocly/openapi-core';",
    "import { readFileSync } from 'node:fs';",
    "const config = await createConfig({ extends: ['recommended'] });",
    "const found = await lintFromString({ source: readFileSync(0, 'utf8'), config });",
    'const rows = found.map(({ severity, ruleId, message, location }) => [severity, ruleId, message, location[0]?.pointer]);',
    'process.stdout.write(JSON.stringify(rows));',
  ].join('\n');
  const checking = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, maxBuffer: 1 << 26 });
  checking.child.stdin?.end(JSON.stringify(document));
  const found = JSON.parse((await checking).stdout) as string[][];
  // Fixed segments come before variable ones, as OpenAPI has it; and nothing can be wrong with a request for health.
  const meant = new Set(['no-ambiguous-paths', 'operation-4xx-response']);
  expect(found.filter(([severity, rule]) => severity === 'error' || !meant.has(rule ?? ''))).toEqual([]);
});

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { STORY } from '../../../api/openapi/story';
import type { Given } from '../../../api/openapi/story-parts';
import { startExampleServer } from '../../support/calls/examples';
import type { ExampleServer } from '../../support/calls/examples';

/** Clients as their users would generate them from the document, which send the example of every operation to a server. */
const ROOT = path.join(__dirname, '../../..');
const DOCUMENT = path.join(ROOT, 'docs/openapi.json');
const bin = (name: string): string => path.join(ROOT, 'node_modules/.bin', name);
const run = promisify(execFile);

const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, Record<string, { operationId: string }>> };
const routes = new Map(
  Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, { template, method }] as const),
  ),
);

let server: ExampleServer;
let folder: string;

/** What a call is given, as the text of an object. */
function given({ path: ids, query, body }: Given, file: string): string {
  const members = { ...(ids && { path: ids }), ...(query && { query }) };
  const listed = Object.entries(members).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [...listed, ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]), ...(file === '' ? [] : [file])].join(', ');
}

/** A picture is the body itself, any other file a part of a form. */
const fetchFile = (operationId: string, file: string): string =>
  operationId === 'uploadFile'
    ? `body: ${file}, bodySerializer: (body) => body, headers: { 'Content-Type': 'image/gif' }`
    : `body: { file: ${file} }, bodySerializer: form`;

const heyFile = (operationId: string, file: string): string =>
  operationId === 'uploadFile' ? `body: new Blob([${file}])` : `body: { file: new Blob([${file}], { type: 'text/csv' }) }`;

const fetchCall = (operationId: string, example: Given): string => {
  const { template = '', method = '' } = routes.get(operationId) ?? {};
  const params = given({ ...(example.path && { path: example.path }), ...(example.query && { query: example.query }) }, '');
  const parts = [
    ...(params === '' ? [] : [`params: { ${params} }`]),
    ...(example.body === undefined ? [] : [`body: ${JSON.stringify(example.body)}`]),
    ...(example.file === undefined ? [] : [fetchFile(operationId, JSON.stringify(example.file))]),
    ...(/^(exportContacts|exportConsent|getDomainZone|getInboundAttachment)$/.test(operationId) ? [`parseAs: 'text'`] : []),
  ];
  return `  ${operationId}: (client: Client) => client.${method.toUpperCase()}('${template}', { ${parts.join(', ')} }),`;
};

const FETCH = `import createClient from 'openapi-fetch';
import type { paths } from './schema';
export const connect = (baseUrl: string, key: string) => createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
type Client = ReturnType<typeof connect>;
function form(body: string | { file: string }): FormData {
  const data = new FormData();
  data.set('file', new Blob([typeof body === 'string' ? body : body.file], { type: 'text/csv' }), 'contacts.csv');
  return data;
}
export const calls = {
${STORY.map((call) => fetchCall(...call)).join('\n')}
};
`;

const heyCall = (operationId: string, example: Given): string => {
  const file = example.file === undefined ? '' : heyFile(operationId, JSON.stringify(example.file));
  const text = given(example, file);
  return `  ${operationId}: (client: Client) => sdk.${operationId}({ client${text === '' ? '' : `, ${text}`} }),`;
};

const HEY = `import { createClient } from './hey/client';
import * as sdk from './hey/sdk.gen';
export const connect = (baseUrl: string, key: string) => createClient({ baseUrl, auth: key });
type Client = ReturnType<typeof connect>;
export const calls = {
${STORY.map((call) => heyCall(...call)).join('\n')}
};
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noEmit: true,
    skipLibCheck: false,
  },
  files: ['fetch.ts', 'hey.ts'],
};

beforeAll(async () => {
  mkdirSync(path.join(ROOT, 'test/generated'), { recursive: true });
  folder = mkdtempSync(path.join(ROOT, 'test/generated/ts-'));
  writeFileSync(path.join(folder, 'fetch.ts'), FETCH);
  writeFileSync(path.join(folder, 'hey.ts'), HEY);
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  server = await startExampleServer();
  await run(bin('openapi-typescript'), [DOCUMENT, '-o', path.join(folder, 'schema.d.ts')], { cwd: ROOT });
  await run(bin('openapi-ts'), ['-i', DOCUMENT, '-o', path.join(folder, 'hey'), '-c', '@hey-api/client-fetch', '--no-log-file'], {
    cwd: folder,
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

test('both compile strictly, and take every example as it stands', async () => {
  const compiled = await run(bin('tsc'), ['-p', folder], { cwd: ROOT }).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe('');
});

interface Answered {
  readonly data?: unknown;
  readonly error?: unknown;
}
interface Generated {
  readonly connect: (url: string, key: string) => unknown;
  readonly calls: Readonly<Record<string, (client: unknown) => Promise<Answered>>>;
}

test.each(['fetch', 'hey'])('a client generated for %s calls every operation', async (name) => {
  const outfile = path.join(folder, `${name}.cjs`);
  buildSync({ entryPoints: [path.join(folder, `${name}.ts`)], bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' });
  const { connect, calls } = (await import(outfile)) as Generated;
  const client = connect(server.url, await server.begin());
  for (const [operationId] of STORY) {
    const { data, error } = (await calls[operationId]?.(client)) ?? {};
    expect([operationId, error, data !== undefined]).toEqual([operationId, undefined, true]);
  }
  expect(server.exchanges.map(({ operationId }) => operationId)).toEqual(STORY.map(([operationId]) => operationId));
});

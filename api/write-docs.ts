import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION, describeConfig } from '../src/platform/config';
import { declarationOf, metrics } from '../src/platform/metrics';
import type { Json } from './openapi/components';
import { openApiDocument } from './openapi/document';
import { ofSuccess, typescriptClient } from './openapi/typescript-client';
import { extensions, rooms } from './rooms';

const DOCS = path.join(__dirname, '..', 'docs');
const CLIENT = path.join(__dirname, '..', 'clients', 'typescript');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** Returns a Markdown table in the form that the formatter would give it. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

function configurationPage(): string {
  const rows = describeConfig().map(({ name, fallback, meaning }) => [`\`${name}\``, fallback && `\`${fallback}\``, cell(meaning)]);
  return [
    '# Configuration',
    '',
    'Environment variables, read once at start; an invalid value stops the start and is named. This page is generated (`npm run docs`).',
    '',
    'Set `<NAME>_FILE` instead of `<NAME>` to read the value from a file, so that secrets stay out of the environment. A newline at the end is dropped. Setting both is an error, and so is an empty or unreadable file. Settings that name a file or folder, and those of OpenTelemetry (`OTEL_…`), have no such form.',
    '',
    table([['name', 'default', 'meaning'], ...rows]),
    '',
  ].join('\n');
}

function metricsPage(): string {
  const rows = Object.values(metrics)
    .map(declarationOf)
    .map(({ name, type, labels, of, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      of.join(', '),
      cell(help),
    ]);
  return [
    '# Metrics',
    '',
    'What `GET /metrics` on `METRICS_PORT` has in each process, in addition to the metrics of Node (`process_…`, `nodejs_…`: event-loop lag, garbage collection, memory) and, in workers, the',
    'Temporal SDK (`temporal_…`). For how to use them, see [operating](operating.md#metrics). This page is generated (`npm run docs`).',
    '',
    table([['name', 'type', 'labels', 'of', 'meaning'], ...rows]),
    '',
  ].join('\n');
}

function describedApi(): Json {
  const endpoints = rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) });
  return openApiDocument([...endpoints, ...extensions(() => ({ status: 200, body: {} }))]);
}

/** Resolves to the types of the document, as openapi-typescript makes them; it is an ES module, which is loaded where it is needed. */
async function clientTypes(document: Json): Promise<string> {
  const { COMMENT_HEADER, astToString, default: openapiTS } = await import('openapi-typescript');
  return `${COMMENT_HEADER}${astToString(await openapiTS(ofSuccess(document) as never))}`;
}

function clientPackage(): string {
  const file = path.join(CLIENT, 'package.json');
  return readFileSync(file, 'utf8').replace(/"version": ".*"/, `"version": "${VERSION}"`);
}

/** Resolves to what is made from the code: file and text. */
async function pages(): Promise<readonly (readonly [string, string])[]> {
  const document = describedApi();
  return [
    [path.join(DOCS, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`],
    [path.join(DOCS, 'configuration.md'), configurationPage()],
    [path.join(DOCS, 'metrics.md'), metricsPage()],
    [path.join(CLIENT, 'src', 'schema.ts'), await clientTypes(document)],
    [path.join(CLIENT, 'src', 'operations.ts'), typescriptClient(document)],
    [path.join(CLIENT, 'package.json'), clientPackage()],
  ];
}

/** Writes what is made from the code, or, with `--check`, fails when some of it is stale. */
async function main(checkOnly: boolean): Promise<number> {
  const stale = (await pages()).filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  if (!checkOnly) for (const [file, text] of stale) writeFileSync(file, text);
  const names = stale.map(([file]) => path.basename(file));
  if (stale.length > 0) process.stdout.write(`${checkOnly ? 'stale' : 'written'}: ${names.join(', ')}\n`);
  return checkOnly && stale.length > 0 ? 1 : 0;
}

void main(process.argv.includes('--check')).then((code) => (process.exitCode = code));

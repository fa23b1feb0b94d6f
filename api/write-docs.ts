import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeConfig } from '../src/config';
import { declarationOf } from '../src/metrics/declare';
import { metrics } from '../src/metrics/metrics';
import { openApiDocument } from './openapi';
import { extensions, rooms } from './rooms';

const DOCS = path.join(__dirname, '..', 'docs');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** A Markdown table in the form that the formatter would give it. */
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
    'Environment variables, read once at start; a bad value stops it and is named. This page is generated (`npm run docs`).',
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
    'What `GET /metrics` on `METRICS_PORT` has in each process, beside the metrics of Node (`process_…`, `nodejs_…`: event-loop lag, garbage collection, memory) and, in workers, the',
    'Temporal SDK (`temporal_…`). How they are meant to be used is in [operating](operating.md#metrics). This page is generated (`npm run docs`).',
    '',
    table([['name', 'type', 'labels', 'of', 'meaning'], ...rows]),
    '',
  ].join('\n');
}

function openApiFile(): string {
  const endpoints = rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) });
  return `${JSON.stringify(openApiDocument([...endpoints, ...extensions(() => ({ status: 200, body: {} }))]), null, 2)}\n`;
}

/** The generated pages: file name and text. */
const pages = (): readonly (readonly [string, string])[] => [
  ['openapi.json', openApiFile()],
  ['configuration.md', configurationPage()],
  ['metrics.md', metricsPage()],
];

/** Writes the generated pages, or, with `--check`, fails when one of them is stale. */
function main(checkOnly: boolean): number {
  const stale = pages().filter(([name, text]) => {
    const file = path.join(DOCS, name);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  if (!checkOnly) for (const [name, text] of stale) writeFileSync(path.join(DOCS, name), text);
  if (stale.length > 0) process.stdout.write(`${checkOnly ? 'stale' : 'written'}: ${stale.map(([name]) => name).join(', ')}\n`);
  return checkOnly && stale.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.includes('--check'));

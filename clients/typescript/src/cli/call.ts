import type { Lettermill } from '../operations.ts';
import { Pages } from '../pages.ts';
import type { RequestOptions } from '../transport.ts';
import type { Asked } from './arguments.ts';
import { flagName } from './arguments.ts';
import type { Command, Flag } from './command.ts';
import { asJson, shown, table } from './print.ts';
import type { Terminal } from './terminal.ts';

type Method = (...args: unknown[]) => Promise<unknown> | Pages<unknown>;

function optionsOf({ keyed }: Command, { idempotencyKey }: Asked, { signal }: Terminal): RequestOptions {
  return { signal, ...(keyed && idempotencyKey !== undefined && { idempotencyKey }) };
}

async function printPages(pages: Pages<unknown>, { json, all, query }: Asked, terminal: Terminal): Promise<void> {
  if (all) {
    const rows = await pages.toArray();
    return terminal.out(json ? asJson(rows) : table(rows, terminal.width));
  }
  const { rows, nextCursor } = await pages.page(query['cursor'] as string | undefined);
  terminal.out(json ? asJson(rows) : table(rows, terminal.width));
  if (nextCursor !== null) terminal.error(`There are more: add --all, or --cursor ${nextCursor}\n`);
}

/** Calls the operation of a command and prints what it answers. Throws the client's errors. */
export async function call(client: Lettermill, command: Command, asked: Asked, terminal: Terminal): Promise<void> {
  const method = (client as unknown as Readonly<Record<string, Method>>)[command.operation] as Method;
  const { cursor: _, ...query } = asked.query;
  const given = [
    ...asked.ids,
    ...(command.body ? [asked.body] : []),
    ...(command.upload ? [asked.file] : []),
    ...(command.query.length > 0 ? [query] : []),
    optionsOf(command, asked, terminal),
  ];
  const answer = method.apply(client, given);
  if (answer instanceof Pages) return printPages(answer, asked, terminal);
  const value = await answer;
  if (value instanceof Uint8Array || (typeof value === 'string' && !asked.json)) terminal.out(value);
  else terminal.out(asked.json ? asJson(value) : shown(value));
}

const HINTS: Readonly<Record<Flag['type'], string>> = { text: 'TEXT', number: 'N', boolean: 'true|false', list: 'TEXT…', json: 'JSON' };

const line = ({ name, type, values, help }: Flag): string =>
  `  --${`${flagName(name)} ${values?.join('|') ?? HINTS[type]}`.padEnd(38)}  ${help}\n`;

/** Returns the help of a command. */
export function helpOf({ words, help, ids, query, body, upload, keyed }: Command): string {
  const flags = [...query, ...(body ?? [])];
  return [
    `${help}\n\nlettermill ${[...words, ...ids.map((id) => `<${id}>`)].join(' ')}${flags.length > 0 || upload ? ' [flags]' : ''}\n\n`,
    ...(upload ? [`  --${'file FILE'.padEnd(38)}  The file to upload; - reads standard input\n`] : []),
    ...flags.map(line),
    ...(body ? [`  --${'input FILE'.padEnd(38)}  The whole body as JSON; flags override its members; - reads standard input\n`] : []),
    ...(keyed ? [`  --${'idempotency-key KEY'.padEnd(38)}  Repeating the command with this key does nothing twice\n`] : []),
    ...(body && flags.length > 0
      ? ['\nTEXT may be @FILE for the content of a file. Lists may be repeated. Members of JSON flags: --data.plan pro\n']
      : []),
  ].join('');
}

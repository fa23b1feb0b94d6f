import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { COMMANDS } from '../../../clients/typescript/src/cli/commands';
import { run } from '../../../clients/typescript/src/cli/run';
import type { Terminal } from '../../../clients/typescript/src/cli/terminal';
import { verifyWebhook } from '../../../clients/typescript/src/index';
import openApi from '../../../docs/openapi.json';
import { aProject } from '../../support/platform/app';

const app = aProject();
let home: string;

beforeAll(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'lettermill-home-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

interface How {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  readonly onOut?: (text: string) => void;
  readonly onError?: (text: string) => void;
}

async function lettermill(
  args: readonly string[],
  { env, input = '', signal = new AbortController().signal, onOut, onError }: How = {},
): Promise<Ran> {
  let [out, error] = ['', ''];
  const terminal: Terminal = {
    env: { HOME: home, ...(env ?? { LETTERMILL_URL: app.url, LETTERMILL_KEY: app.keys.secret }) },
    width: null,
    signal,
    out: (text) => {
      out += typeof text === 'string' ? text : Buffer.from(text).toString();
      onOut?.(out);
    },
    error: (text) => {
      error += text;
      onError?.(error);
    },
    input: () => Promise.resolve(input),
    pieces: async function* () {
      yield* input.match(/[^]{1,7}/g) ?? [];
    },
    askSecret: () => Promise.resolve(input),
  };
  const code = await run(args, terminal);
  return { code, out, error };
}

const json = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
  const { out, error } = await lettermill([...args, '--json']);
  expect(error).toBe('');
  return JSON.parse(out) as Record<string, unknown>;
};

test('every operation is one command, but for the probes', () => {
  const operations = Object.values(openApi.paths).flatMap((verbs) => Object.values(verbs).map(({ operationId }) => operationId as string));
  const without = ['getLive', 'getReady', 'getOpenApi'];
  expect(COMMANDS.map(({ operation }) => operation).sort()).toEqual(operations.filter((id) => !without.includes(id)).sort());
  expect(new Set(COMMANDS.map(({ words }) => words.join(' '))).size).toBe(COMMANDS.length);
});

test('flags, members of flags and a JSON body make one request', async () => {
  const contact = ['--email', 'ada@cli.example', '--first-name', 'Ada', '--data.plan', 'pro', '--data.seats=12', '--subscribed', 'false'];
  const input = JSON.stringify({ firstName: 'Somebody', lastName: 'Lovelace' });
  const { out } = await lettermill(['contacts', 'upsert', ...contact, '--input', '-', '--json'], { input });
  expect(JSON.parse(out)).toMatchObject({
    email: 'ada@cli.example',
    firstName: 'Ada',
    lastName: 'Lovelace',
    subscribed: false,
    data: { plan: 'pro', seats: 12 },
  });
});

test('a send is done once under an idempotency key, and its text may come from a file', async () => {
  const file = path.join(home, 'mail.txt');
  writeFileSync(file, 'Hello from a file');
  const args = ['send', '--to', 'ada@cli.example', '--to', 'bob@cli.example', '--subject', 'Hello', '--text', `@${file}`];
  const env = { LETTERMILL_URL: app.url, LETTERMILL_KEY: app.keys.test };
  const sent = await lettermill([...args, '--idempotency-key', 'once', '--json'], { env });
  const again = await lettermill([...args, '--idempotency-key', 'once', '--json'], { env });
  expect(JSON.parse(sent.out)).toMatchObject({ results: [{ to: 'ada@cli.example' }, { to: 'bob@cli.example' }] });
  expect(JSON.parse(again.out)).toEqual({ ...(JSON.parse(sent.out) as object), replay: true });
});

test('lists come as a table or as JSON, a page or all', async () => {
  for (const name of ['one', 'two', 'three']) await json('contacts', 'upsert', '--email', `${name}@list.example`);
  const page = await lettermill(['contacts', 'list', '--search', 'list.example', '--limit', '2']);
  expect(page.out.split('\n')[0]).toMatch(/^contactId +email +/);
  expect(page.out.trim().split('\n')).toHaveLength(3);
  const cursor = /--cursor (\S+)/.exec(page.error)?.[1] ?? '';
  const rest = await lettermill(['contacts', 'list', '--search', 'list.example', '--limit', '2', '--cursor', cursor]);
  expect([rest.out.includes('one@list.example'), rest.error]).toEqual([true, '']);
  const all = await lettermill(['contacts', 'list', '--search', 'list.example', '--limit', '2', '--all', '--json']);
  expect((JSON.parse(all.out) as unknown[]).length).toBe(3);
});

test('what others wrote does not steer the terminal', async () => {
  await json('contacts', 'upsert', '--email', 'evil@escape.example', '--last-name', '\u001B]0;owned\u0007');
  const { out } = await lettermill(['contacts', 'get', 'evil@escape.example']);
  expect(out).toContain(']0;owned');
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test.each([
  ['a wrong key', ['settings', 'get'], { LETTERMILL_KEY: 'sk_wrong' }, 3, 'unauthorized'],
  ['nothing there', ['contacts', 'get', 'nobody@cli.example'], {}, 4, 'not_found'],
  ['an invalid member', ['suppressions', 'create', '--email', 'nobody'], {}, 5, 'email: '],
  ['nobody who answers', ['settings', 'get'], { LETTERMILL_URL: 'http://127.0.0.1:1' }, 7, 'No answer from 127.0.0.1:1'],
  ['an unknown flag', ['contacts', 'list', '--colour'], {}, 2, "Unknown option '--colour'"],
  ['an unknown command', ['contacts', 'frobnicate'], {}, 2, 'contacts upsert'],
  ['a missing id', ['contacts', 'get'], {}, 2, 'contacts get takes <id>'],
  ['a value that is no number', ['contacts', 'list', '--limit', 'many'], {}, 2, '--limit is a number'],
  ['a value that is not allowed', ['campaigns', 'send', 'cmp_1', '--passed', 'later'], {}, 2, 'now, nextDay, skip'],
  ['no URL and no key', ['settings', 'get'], { LETTERMILL_URL: undefined, LETTERMILL_KEY: undefined }, 2, 'lettermill login'],
])('%s ends in its own exit code and says what is wrong', async (_, args, env, code, text) => {
  const ran = await lettermill(args, { env: { LETTERMILL_URL: app.url, LETTERMILL_KEY: app.keys.secret, ...env } });
  expect([ran.code, ran.out]).toEqual([code, '']);
  expect(ran.error).toContain(text);
  expect(ran.error).not.toContain(app.keys.secret);
});

test('a refusal names the paragraph that explains it', async () => {
  const { error } = await lettermill(['contacts', 'get', 'nobody@cli.example']);
  expect(error).toMatch(/request req_\w+, http\S+\/docs\/guides\/errors#not_found/);
});

test('keys are stored for their owner alone, and used by profile', async () => {
  const without = { env: {} };
  const refused = await lettermill(['login', '--url', app.url, '--profile', 'shop'], { ...without, input: 'sk_wrong' });
  expect(refused.code).toBe(3);
  const stored = await lettermill(['login', '--url', app.url, '--profile', 'shop'], { ...without, input: app.keys.secret });
  expect([stored.code, stored.out]).toEqual([0, '']);
  const file = path.join(home, '.config/lettermill/profiles.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await lettermill(['settings', 'get'], without)).code).toBe(0);
  await lettermill(['login', '--url', app.url, '--profile', 'other'], { ...without, input: app.otherKeys.secret });
  expect((await lettermill(['profiles'], without)).out).toBe(`  shop  ${app.url}\n* other  ${app.url}\n`);
  const [own, other] = [
    await lettermill(['keys', 'list', '--json', '--profile', 'shop'], without),
    await lettermill(['keys', 'list', '--json'], without),
  ];
  expect(own.out).not.toBe(other.out);
  await lettermill(['logout', '--profile', 'other'], without);
  expect(readFileSync(file, 'utf8')).not.toContain(app.otherKeys.secret);
  expect((await lettermill(['settings', 'get', '--profile', 'other'], without)).code).toBe(2);
});

describe('development', () => {
  test('events tail prints new events once each', async () => {
    await json('events', 'ingest', '--name', 'order.placed', '--email', 'ada@tail.example', '--data.total', '1');
    const placing = async (): Promise<void> => {
      for (const total of ['2', '3'])
        await json('events', 'ingest', '--name', 'order.placed', '--email', 'ada@tail.example', '--data.total', total);
    };
    const stopped = new AbortController();
    const began = lettermill(['events', 'tail', '--name', 'order.placed', '--json'], {
      signal: stopped.signal,
      onError: () => void placing(),
      onOut: (out) => out.includes('"total":3') && stopped.abort(),
    });
    const { code, out } = await began;
    const totals = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { data: { total: number } }).data.total);
    expect([code, totals]).toEqual([0, [2, 3]]);
  });

  test('webhooks listen posts new events, signed as webhooks are', async () => {
    const [stopped, got] = [new AbortController(), [] as { type: string; data: object }[]];
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const checked = verifyWebhook({ body: Buffer.concat(chunks), headers: req.headers, secret: 'whsec_mine' });
        void checked.then((event) => got.push(event as never)).finally(() => res.writeHead(204).end());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const listening = lettermill(['webhooks', 'listen', '--forward', url, '--secret', 'whsec_mine', '--name', 'cart.left'], {
      signal: stopped.signal,
      onError: (text) => {
        if (text.includes('Waiting'))
          void json('events', 'ingest', '--name', 'cart.left', '--email', 'ada@hooks.example', '--data.items', '2');
      },
      onOut: () => stopped.abort(),
    });
    const { out } = await listening;
    server.close();
    expect(out).toMatch(/cart\.left {2}evt_\w+ {2}204/);
    expect(got).toEqual([
      expect.objectContaining({
        type: 'cart.left',
        data: expect.objectContaining({ items: 2, contact: expect.objectContaining({ email: 'ada@hooks.example' }) }),
      }),
    ]);
  });

  test.each(['bash', 'zsh', 'fish'])('%s gets a completion script', async (shell) => {
    expect((await lettermill(['completion', shell])).out).toContain('lettermill complete --');
  });

  test('words and flags are completed', async () => {
    const words = (await lettermill(['complete', '--', 'campaigns'])).out.split('\n');
    expect(words).toEqual(expect.arrayContaining(['send', 'pause', 'recipients']));
    const flags = (await lettermill(['complete', '--', 'campaigns', 'send'])).out.split('\n');
    expect(flags).toEqual(expect.arrayContaining(['--scheduled-for', '--throttle-per-minute', '--json']));
  });

  test('help names every flag of a command with its values', async () => {
    const { out } = await lettermill(['campaigns', 'send', '--help']);
    expect(out).toMatch(/--passed now\|nextDay\|skip/);
    expect((await lettermill(['--help'])).out).toContain('import <mailchimp|listmonk|resend|sendgrid|buttondown>');
  });
});

test('domains check asks DNS again and fails until the domain is verified', async () => {
  await json('domains', 'create', '--domain', 'cli.example');
  const { code, out } = await lettermill(['domains', 'check', 'cli.example']);
  expect([code, out.includes('cli.example is pending'), out.includes('TXT')]).toEqual([1, true, true]);
  expect((await lettermill(['domains', 'check', 'unknown.example'])).code).toBe(2);
});

import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { STORY } from '../../../api/openapi/story';
import { anExampleServer } from '../../support/calls/examples';
import { takenOut } from '../../support/calls/taken-out';

/** Needs Python 3 with pip and a registry of packages, as the first start of the platform may; fails where they are not there. */
const ROOT = path.join(__dirname, '../../..');
const CLIENT = path.join(ROOT, 'clients/python');
const SUPPORT = path.join(ROOT, 'test/support/calls');
const run = promisify(execFile);

const server = anExampleServer();
let folder: string;
/** The Python of an empty environment, into which only the built package was installed. */
let installed: string;
let env: NodeJS.ProcessEnv;

const python = (args: readonly string[], given: NodeJS.ProcessEnv = {}) => run('python3', args, { cwd: folder, env: { ...env, ...given } });
const pip = (...args: string[]) => python(['-m', 'pip', ...args]);
/** Runs a module of the tools that build and check. */
const tool = (...args: string[]) => python(['-m', ...args], { PYTHONPATH: path.join(folder, 'tools') });

/** Resolves to what a program prints, which is JSON in each line. */
async function lines(args: readonly string[], given: NodeJS.ProcessEnv = {}, input = ''): Promise<unknown[]> {
  const running = run(installed, args, { cwd: folder, env: { ...env, ...given }, maxBuffer: 1 << 26 });
  running.child.stdin?.end(input);
  const { stdout } = await running;
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lettermill-python-'));
  env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const versions = path.join(CLIENT, 'requirements.txt');
  const install = ['install', '--quiet', '--no-compile', '--disable-pip-version-check'];
  await pip(...install, '--target', 'tools', '-r', versions);
  await tool('build', '--no-isolation', '--outdir', 'dist', CLIENT);
  await python(['-m', 'venv', '--without-pip', 'empty']);
  installed = path.join(folder, 'empty/bin/python');
  const [wheel = ''] = readdirSync(path.join(folder, 'dist')).filter((file) => file.endsWith('.whl'));
  await pip('--python', installed, ...install, '-c', versions, path.join(folder, 'dist', wheel));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const reach = async () => ({ LETTERMILL_URL: server.url, LETTERMILL_KEY: await server.begin() });

describe('the Python client', () => {
  test.each(['sync', 'async'])('sends the example of every operation, %s, and takes the answer out of its envelope', async (manner) => {
    const calls = STORY.map(([operationId, given]) => ({ operationId, ...given }));
    const program = path.join(SUPPORT, 'python-client.py');
    const results = await lines([program, manner], await reach(), JSON.stringify(calls));
    expect(server.exchanges.map(({ operationId, status }) => [operationId, status < 300])).toEqual(STORY.map(([id]) => [id, true]));
    for (const [at, [operationId, given]] of STORY.entries()) {
      const { body = '', answer = '' } = server.exchanges[at] ?? {};
      const sent: unknown = given.body === undefined ? body : JSON.parse(body);
      expect([operationId, sent]).toEqual([operationId, given.body ?? given.file ?? '']);
      expect(results[at]).toEqual([operationId, takenOut(operationId, answer)]);
    }
  });

  test('the programs of its readme run', async () => {
    const programs = readFileSync(path.join(CLIENT, 'README.md'), 'utf8').matchAll(/```python\n(.*?)```/gs);
    const text = [...programs].map(([, program = '']) => program).join('\n');
    const { stdout } = await run(installed, ['-c', text], { env: { ...env, ...(await reach()) } });
    expect(stdout).toMatch(/^em_\w+\n/);
  });

  test('a strict type checker accepts the package, and a program as far as it is right', async () => {
    writeFileSync(path.join(folder, 'right.py'), RIGHT);
    writeFileSync(path.join(folder, 'wrong.py'), WRONG);
    const check = (...args: string[]) => tool('mypy', '--strict', '--no-color-output', '--python-executable', installed, ...args);
    await expect(check('right.py')).resolves.toMatchObject({ stdout: expect.stringContaining('no issues found') });
    await expect(check('--package', 'lettermill')).resolves.toMatchObject({ stdout: expect.stringContaining('no issues found') });
    const { stdout } = (await check('wrong.py').catch((error: unknown) => error)) as { stdout: string };
    const refused = stdout.match(/(?<=wrong\.py:)\d+/g) ?? [];
    expect([...new Set(refused)].map(Number)).toEqual(WRONG.split('\n').flatMap((line, at) => (line.endsWith('# wrong') ? [at + 1] : [])));
  });

  test('reads lists page by page, as far as they are read', async () => {
    const found = await lines(
      [
        '-c',
        `
import asyncio, json
from lettermill import AsyncLettermill, Lettermill

client = Lettermill()
for name in ["one", "two", "three", "four", "five"]:
    client.upsert_contact(email=f"{name}@pages.example")
given = {"search": "pages.example", "limit": 2}
print(json.dumps([contact["email"] for contact in client.list_contacts(**given)]))
print(json.dumps([len(page.rows) for page in client.list_contacts(**given).pages()]))
second = client.list_contacts(**given).page(client.list_contacts(**given).page().next_cursor)
print(json.dumps([[contact["email"] for contact in second.rows], len(client.list_contacts(**given).to_list(1))]))
async def read():
    async with AsyncLettermill() as client:
        emails = [contact["email"] async for contact in client.list_contacts(**given)]
        print(json.dumps([emails, len(await client.list_contacts(**given).to_list(3))]))

asyncio.run(read())
`,
      ],
      await reach(),
    );
    const all = ['five', 'four', 'three', 'two', 'one'].map((name) => `${name}@pages.example`);
    expect(found).toEqual([all, [2, 2, 1], [all.slice(2, 4), 1], [all, 3]]);
    const pages = server.exchanges.filter(({ operationId }) => operationId === 'listContacts');
    expect(pages).toHaveLength(3 + 3 + 2 + 1 + 3 + 2);
  });

  test('fails with what the service says', async () => {
    const failures = await lines(['-c', FAILURES], await reach());
    expect(failures).toEqual([
      [
        ['ValidationError', 'ApiError', 'LettermillError'],
        {
          status: 422,
          code: 'validation_error',
          retry: null,
          request: expect.stringMatching(/^req_/),
          details: [['email', 'invalid_string']],
          help: expect.stringMatching(/^http.*validation_error$/),
          text: expect.stringMatching(/\(validation_error\); email: /),
        },
      ],
      [['ApiError', 'LettermillError'], expect.objectContaining({ status: 404, code: 'not_found', details: [] })],
      [['AuthenticationError', 'ApiError', 'LettermillError'], expect.objectContaining({ status: 401, code: 'unauthorized' })],
      [['NoAnswerError', 'LettermillError'], { text: expect.stringContaining('No answer from 127.0.0.1') }],
    ]);
  });

  test.each([
    [{ LETTERMILL_KEY: '', LETTERMILL_URL: 'https://mail.example.com' }, 'api_key is missing'],
    [{ LETTERMILL_KEY: 'sk_1', LETTERMILL_URL: '' }, 'base_url is missing'],
    [{ LETTERMILL_KEY: 'sk_1', LETTERMILL_URL: 'mail.example.com' }, 'base_url is missing or not a URL'],
  ])('says what it lacks: %j', async (given, said) => {
    const program = `
import json, lettermill
for kind in [lettermill.Lettermill, lettermill.AsyncLettermill]:
    try:
        kind()
    except lettermill.LettermillError as error:
        print(json.dumps(str(error)))
`;
    expect(await lines(['-c', program], given)).toEqual([expect.stringContaining(said), expect.stringContaining(said)]);
  });

  test('verifies webhooks', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = JSON.stringify({ type: 'order.placed', data: { total: 42, for: 'Zoë' } });
    const signed = (at: number, under = secret): string =>
      `t=${at},v1=${createHmac('sha256', under).update(`${at}.${body}`).digest('hex')}`;
    const now = Math.floor(Date.now() / 1_000);
    const signatures = [
      `${signed(now, 'whsec_old')},${signed(now).split(',')[1]}`,
      signed(now, 'whsec_other'),
      signed(now - 301),
      signed(now + 400),
      '',
      't=,v1=',
      't=x,v1=é',
      signed(now).slice(0, -2),
    ];
    const program = `
import json, sys
from lettermill import SignatureError, is_own_event, verify_webhook

given = json.load(sys.stdin)
for signature in given["signatures"]:
    for body in [given["body"], given["body"].encode()]:
        try:
            event = verify_webhook(body, {"X-Service-Signature": signature}, given["secret"])
            print(json.dumps(event["data"]["total"] if is_own_event(event) else event))
        except SignatureError:
            print(json.dumps("refused"))
`;
    const outcomes = await lines(['-c', program], {}, JSON.stringify({ signatures, body, secret }));
    expect(outcomes).toEqual([42, 42, ...signatures.slice(1).flatMap(() => ['refused', 'refused'])]);
  });
});

describe('trying again with the Python client', () => {
  /** Resolves to the outcomes of a program in which `calls(…)` are a client and what it sent, by the answers that it gets. */
  const tried = (program: string): Promise<unknown[]> => lines(['-c', `from python_calls import *\n${program}`], { PYTHONPATH: SUPPORT });

  test.each(['sync', 'async'])('a send is repeated under one key of its own, after any failure between, %s', async (manner) => {
    const [[outcome, keys, bodies]] = (await tried(`
client, seen = calls("${manner}", (503, "unavailable"), (409, "idempotency_in_progress"), (0, ""), (429, "rate_limited"), most=4)
say(client.send, seen, **MESSAGE)
`)) as [[unknown, string[], string[]]];
    expect(outcome).toEqual({ results: [], testMode: false });
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(bodies)).toEqual(new Set(['{"to":"ada@example.com","subject":"Hello","text":"Hello"}']));
  });

  test('a key that is given is taken, and an answer that breaks off or cannot be read is none', async () => {
    const outcomes = await tried(`
client, seen = calls("sync", (0, ""))
say(client.send, seen, **MESSAGE, idempotency_key="order-1")
client, seen = calls("sync", (200, "<html>Sign in to the network</html>"))
say(client.get_billing, seen)
client, seen = calls("sync", (200, "<html>Sign in to the network</html>"))
say(client.get_billing, seen, max_retries=0)
client, seen = calls("sync", (502, '{"error": {}, "details": [1]}'))
say(client.delete_template, seen, "tpl_1")
`);
    expect(outcomes).toEqual([
      [{ results: [], testMode: false }, ['order-1', 'order-1'], expect.anything()],
      [{ results: [], testMode: false }, [null, null], ['', '']],
      [['NoAnswerError', null], [null], ['']],
      [['ApiError', 'internal_error'], [null], ['']],
    ]);
  });

  test('what may have been done is not done again, and it ends after so many times', async () => {
    const outcomes = await tried(`
client, seen = calls("sync", (503, "unavailable"))
say(client.create_topic, seen, key="news", name="News", default_subscription="in")
client, seen = calls("sync", (429, "rate_limited"))
say(client.delete_template, seen, "tpl_1")
client, seen = calls("sync", *[(429, "rate_limited")] * 3)
say(client.get_billing, seen, max_retries=1)
client, seen = calls("async", *[(500, "internal_error")] * 9)
say(client.get_billing, seen)
`);
    expect(outcomes.map((each) => [(each as unknown[])[0], (each as [unknown, unknown[]])[1].length])).toEqual([
      [['ApiError', 'unavailable'], 1],
      [{ results: [], testMode: false }, 2],
      [['RateLimitError', 'rate_limited'], 2],
      [['ApiError', 'internal_error'], 4],
    ]);
  });

  test('what is left out is not sent, and None is null', async () => {
    const [[, , bodies]] = (await tried(`
client, seen = calls("sync")
say(client.upsert_contact, seen, email="ada@example.com", first_name=None)
`)) as [[unknown, unknown, string[]]];
    expect(bodies).toEqual(['{"email":"ada@example.com","firstName":null}']);
  });
});

const FAILURES = `
import json, pickle
from lettermill import ApiError, Lettermill, LettermillError

client = Lettermill()
for call in [
    lambda: client.create_suppression(email="not an address"),
    lambda: client.get_contact("nobody@example.com"),
    lambda: Lettermill("sk_unknown").get_billing(),
    lambda: Lettermill(base_url="http://127.0.0.1:9", max_retries=0).get_billing(),
]:
    try:
        call()
    except LettermillError as raised:
        error = pickle.loads(pickle.dumps(raised))
        shown = {"text": str(error)}
        if isinstance(error, ApiError):
            shown.update(status=error.status, code=error.code, request=error.request_id, retry=error.retry_after, help=error.help_url)
            shown["details"] = [[detail["path"], detail["code"]] for detail in error.details]
        print(json.dumps([[kind.__name__ for kind in type(error).__mro__[:-3]], shown]))
`;

const RIGHT = `
from lettermill import ApiError, AsyncLettermill, Lettermill, Page, is_own_event, verify_webhook
from lettermill.types import Contact, Message

client = Lettermill("sk_1", "https://mail.example.com", timeout=5)
message: Message = {"to": "ada@example.com", "from": "hello@example.com", "subject": "Hello", "text": "Hello"}
recipients: list[str] = ["ada@example.com"]
client.send(to=recipients, from_="hello@example.com", subject="Hello", text="Hello", idempotency_key="order-1")
client.send_batch(messages=[message])
email: str = client.get_contact("ada@example.com")["email"]
page: Page[Contact] = client.list_contacts(subscribed=True).page()
event = verify_webhook(b"", {}, "whsec_1")
if is_own_event(event):
    print(event["data"]["total"])
elif event["type"] == "email.bounced":
    print(event["data"]["email"]["to"], event["data"]["bounceType"])


async def read(client: AsyncLettermill) -> list[Contact]:
    try:
        return [contact async for contact in client.list_contacts(limit=10)]
    except ApiError as error:
        return [] if error.code == "not_found" else await client.list_contacts().to_list(1)
`;

const WRONG = `
from lettermill import ApiError, Lettermill

client = Lettermill("sk_1", "https://mail.example.com")
client.send(subject="Hello")  # wrong
client.send(to="ada@example.com", replyTo="eve@example.com")  # wrong
client.send(to="ada@example.com", type="promotional")  # wrong
client.get_contact(5)  # wrong
client.get_contact("ada@example.com")["mail"]  # wrong
client.get_billing(idempotency_key="order-1")  # wrong
`;

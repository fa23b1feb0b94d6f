import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { STORY } from '../../../api/openapi/story';
import { TOMORROW } from '../../../api/openapi/story-parts';
import { startExampleServer } from '../../support/calls/examples';
import type { ExampleServer } from '../../support/calls/examples';

/** Needs Python 3 with pip and a registry of packages, as the first start of the platform may; fails where they are not there. */
const ROOT = path.join(__dirname, '../../..');
const CLIENT = path.join(ROOT, 'clients/python');
const DOCUMENT = path.join(ROOT, 'docs/openapi.json');
const run = promisify(execFile);

const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string; tags: readonly [string] }>>;
};
const tags = new Map(
  Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId, tags: [tag] }) => [operationId, tag])),
);

let server: ExampleServer;
let folder: string;
let python: (...args: string[]) => ReturnType<typeof run>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lettermill-python-'));
  const packages = path.join(folder, 'packages');
  const env = { ...process.env, PYTHONPATH: `${packages}:${path.join(folder, 'installed')}`, PYTHONDONTWRITEBYTECODE: '1' };
  python = (...args) => run('python3', args, { cwd: folder, env, maxBuffer: 1 << 26 });
  server = await startExampleServer();
  await python('-m', 'pip', 'install', '--quiet', '--no-compile', '--target', packages, '-r', path.join(CLIENT, 'requirements.txt'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

test('every operation is generated, without a word of what could not be, and the installed package sends its example', async () => {
  const options = ['--config', path.join(CLIENT, 'config.yml'), '--meta', 'setup', '--output-path', 'client', '--overwrite'];
  const { stdout, stderr } = await python('-m', 'openapi_python_client', 'generate', '--path', DOCUMENT, ...options);
  expect(`${String(stdout)}${String(stderr)}`).not.toMatch(/warning|error|unable/i);
  expect(existsSync(path.join(folder, 'client/lettermill/api/send/send.py'))).toBe(true);
  await python('-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--no-build-isolation', '--target', 'installed', './client');
  rmSync(path.join(folder, 'client'), { recursive: true });
  const calls = STORY.map(([operationId, given]) => ({ operationId, tag: tags.get(operationId), ...given }));
  // The client writes instants in a form of its own, by which the server does not know the example's.
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const calling = python(path.join(ROOT, 'test/support/calls/python-client.py'), server.url, await server.begin());
  (calling as unknown as { child: { stdin: NodeJS.WritableStream } }).child.stdin.end(JSON.stringify(calls).replaceAll(TOMORROW, soon));
  const lines = String((await calling).stdout)
    .trim()
    .split('\n');
  const outcomes = lines.map((line) => JSON.parse(line) as [string, unknown, boolean]);
  expect(outcomes.filter(([, status, read]) => !read || Number(status) >= 300 || typeof status !== 'number')).toEqual([]);
  expect(outcomes.map(([operationId]) => operationId)).toEqual(STORY.map(([operationId]) => operationId));
});

test('the program of its readme sends a message', async () => {
  const [, program = ''] = /```python\n(.*?)```/s.exec(readFileSync(path.join(CLIENT, 'README.md'), 'utf8')) ?? [];
  const here = program.replace('https://mail.example.com', server.url).replace('sk_…', await server.begin());
  expect(String((await python('-c', here)).stdout)).toMatch(/id='em_\w+'.*ada@example\.com/s);
});

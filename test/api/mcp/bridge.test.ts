import { run } from '../../../clients/typescript/src/cli/run';
import { aProject } from '../../support/platform/app';

const app = aProject();

/** Runs `lettermill mcp` on lines that come in, cut into pieces anywhere. Resolves to the lines that it prints. */
async function bridged(lines: readonly (object | string)[], key = app.keys.secret, args: readonly string[] = []): Promise<object[]> {
  let out = '';
  const input = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const code = await run(['mcp', ...args], {
    env: { LETTERMILL_URL: `${app.url}/`, LETTERMILL_KEY: key },
    width: null,
    signal: new AbortController().signal,
    out: (text) => {
      out += String(text);
    },
    error: () => undefined,
    input: () => Promise.resolve(input),
    pieces: async function* () {
      yield* input.match(/[^]{1,11}/g) ?? [];
    },
    askSecret: () => Promise.resolve(''),
  });
  expect(code).toBe(0);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as object);
}

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const INITIALIZE = request(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

test('lettermill mcp passes messages to the server, and its answers back', async () => {
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const [first, second, ...more] = await bridged([INITIALIZE, initialized, request(2, 'tools/list')], app.keys.secret, [
    '--groups',
    'stats',
  ]);
  expect(first).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'lettermill' } } });
  expect(second).toMatchObject({ id: 2, result: { tools: [{ name: 'getStats' }, { name: 'getWorkflowStats' }] } });
  expect(more).toEqual([]);
});

test('lettermill mcp answers each message where the server refuses it, and what is not JSON', async () => {
  const answers = await bridged([INITIALIZE, 'nonsense'], 'sk_nonsense');
  expect(answers).toEqual([
    { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ data: expect.objectContaining({ code: 'unauthorized' }) }) },
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Not JSON' } },
  ]);
});

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StartIntent } from '../../../../src/contracts/processes';
import { runOn } from '../../../../src/marketing/automations/advance';
import { enrolByEvent } from '../../../../src/marketing/automations/enrol';
import { callNode } from '../../../../src/marketing/automations/webhook-node';
import { CallGate } from '../../../../src/platform/http-client/gate';
import { aProject } from '../../../support/platform/app';
import { activate, chain, contact, drive, edge, emitted, enrol, node, play, runOf } from '../../../support/calls/automations';
import { eventually } from '../../../support/platform/platform';

const app = aProject({ config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_SECONDS: '1' } });

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let base: string;
let seen: Seen[] = [];
let answer: (res: ServerResponse, count: number) => void;

beforeAll(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      answer(res, seen.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
  answer = (res) => res.end('ok');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const hook = async (config: Record<string, unknown>, change: Record<string, unknown> = {}, data = {}) => {
  const graph = {
    nodes: [
      node('start', 'trigger'),
      node('hook', 'webhook', config),
      node('y', 'exit', { reason: 'success' }),
      node('n', 'exit', { reason: 'failure' }),
    ],
    edges: [edge('start', 'hook'), edge('hook', 'y', 'success'), edge('hook', 'n', 'failure')],
  };
  return play(app, await activate(app, graph), await contact(app, change), { data });
};

test('a webhook step calls with everything rendered, keyed by its step', async () => {
  answer = (res) => res.writeHead(201).end('é'.repeat(2_000));
  const run = await hook(
    {
      url: `${base}/{{data.path}}?q={{event.q}}#x`,
      method: 'PUT',
      headers: { Authorization: 'Bearer {{data.key}}', 'X-Name': '{{event.name}}' },
      body: { hello: '{{event.name}}', list: ['{{event.q}}', 1, null] },
    },
    { data: { path: '../a/b?c#d', key: 'k1' } },
    { q: 'x&y=z /', name: 'A\r\nB: "c"' },
  );
  expect(run).toMatchObject({ status: 'exited', exitReason: 'success' });
  expect(run.steps[1]).toMatchObject({
    branch: 'success',
    output: { status: 201, body: 'é'.repeat(512) },
    error: null,
    status: 'completed',
  });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({
    method: 'PUT',
    url: '/..%2Fa%2Fb%3Fc%23d?q=x%26y%3Dz%20%2F',
    headers: {
      authorization: 'Bearer k1',
      'x-name': expect.not.stringMatching(/[\r\n]/),
      'content-type': 'application/json',
      'idempotency-key': `${run.executionId}/hook`,
    },
  });
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ hello: 'A\r\nB: "c"', list: ['x&y=z /', 1, null] });
});

test.each([
  ['/users/{{event.a}}/delete', { a: '..' }],
  ['/users/{{event.a}}{{event.b}}/delete', { a: '.', b: '.' }],
  ['/users/%2e{{event.a}}/delete', { a: '.' }],
  ['/users/{{event.a}}/delete', { a: '%2e%2E' }],
  [String.raw`/users/{{event.a}}\delete`, { a: '..' }],
  ['/users/{{event.a}}/delete', { a: '../..' }],
  ['/users/{{event.none | ".."}}/delete', {}],
])('a value that would climb out of its place in %s fails the step, and nothing is sent', async (path, data) => {
  const run = await hook({ url: `${base}${path}`, headers: { Authorization: 'Bearer k1' } }, {}, data);
  expect(run).toMatchObject({ exitReason: 'failure' });
  expect(run.steps[1]).toMatchObject({ branch: 'failure', output: { status: null, body: null }, error: expect.stringContaining('path') });
  expect(seen).toEqual([]);
});

test('a 5xx is tried three times in all, anything else once, and a redirect is not followed', async () => {
  answer = (res) => res.writeHead(503).end('busy');
  expect(await hook({ url: `${base}/a` })).toMatchObject({
    exitReason: 'failure',
    steps: [{}, { output: { status: 503, body: 'busy' }, error: expect.stringContaining('503') }, {}],
  });
  expect(seen).toHaveLength(3);
  seen = [];
  answer = (res) => res.writeHead(302, { location: `${base}/other` }).end();
  expect(await hook({ url: `${base}/a` })).toMatchObject({ exitReason: 'failure' });
  answer = (res) => res.writeHead(404).end();
  expect(await hook({ url: `${base}/b`, method: 'GET' })).toMatchObject({ exitReason: 'failure' });
  expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual(['POST /a ', 'GET /b ']);
  seen = [];
  answer = (res, count) => res.writeHead(count === 1 ? 500 : 200).end('fine');
  expect(await hook({ url: `${base}/a` })).toMatchObject({
    exitReason: 'success',
    steps: [{}, { output: { status: 200, body: 'fine' } }, {}],
  });
  expect(seen).toHaveLength(2);
});

test('an answer that changes the protocol is a failure like any other', async () => {
  answer = (res) => res.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  expect(await hook({ url: `${base}/socket` })).toMatchObject({
    exitReason: 'failure',
    steps: [{}, { output: { status: 101, body: '' }, error: expect.stringContaining('101') }, {}],
  });
  expect(seen).toHaveLength(1);
});

test('the limit is on the whole exchange, however slowly the answer drips', async () => {
  answer = (res) => {
    res.writeHead(200);
    const drip = setInterval(() => res.write('.'), 100);
    res.on('close', () => clearInterval(drip));
  };
  const began = Date.now();
  expect(await hook({ url: `${base}/slow` })).toMatchObject({
    exitReason: 'failure',
    steps: [{}, { output: { status: null, body: null }, error: expect.stringMatching(/within 1 s/) }, {}],
  });
  expect(seen).toHaveLength(3);
  expect(Date.now() - began).toBeLessThan(30_000);
});

test('a mute server takes few calls of a project at a time; what waits spends no attempt, and no call of another project waits', async () => {
  const calls = new CallGate(app.core.log, { pausesMs: [50], storm: 5, stormMs: 60_000 });
  const core = { ...app.core, calls };
  let open = 0;
  let most = 0;
  answer = (res) => {
    most = Math.max(most, ++open);
    res.on('close', () => open--);
  };
  const id = await activate(app, chain(node('hook', 'webhook', { url: `${base}/mute` })));
  const executionIds = await Promise.all(Array.from({ length: 11 }, async () => enrol(app, id, await contact(app))));
  const runs = executionIds.map((executionId) => drive(core, app.keys.projectId, executionId));
  await eventually('it is full', () => open === 10);
  const elsewhere = calls.ask({ kind: 'within', projectId: 'prj_other', host: new URL(base).host });
  expect(elsewhere).not.toBeNull();
  for (const over of runs) expect(await over).toMatchObject({ next: 'over', status: 'completed' });
  expect(most).toBe(10);
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(11);
  expect(keys).toHaveLength(11 * 3);
});

test('an execution that comes to a server which has its calls waits by a timer at once, and asks by no activity', async () => {
  const calls = new CallGate(app.core.log);
  const core = { ...app.core, calls };
  const { projectId } = app.keys;
  const id = await activate(app, chain(node('hook', 'webhook', { url: `${base}/busy` })));
  const arrive = async () =>
    (await runOn(core, { executionId: await enrol(app, id, await contact(app)), projectId, now: Date.now() }, 'run_1')).todo;
  expect(await arrive()).toEqual({ next: 'call', nodeId: 'hook', attempt: 1, afterMs: 0 });
  const callee = { kind: 'within', projectId, host: new URL(base).host } as const;
  const passes = Array.from({ length: 10 }, () => calls.ask(callee));
  const [first, second] = [await arrive(), await arrive()];
  expect([first, second]).toEqual([first, second].map(() => expect.objectContaining({ next: 'call', attempt: 1, heldBack: true })));
  expect(first).toMatchObject({ afterMs: 500 });
  passes[0]?.leave(null);
  expect(await arrive()).toMatchObject({ afterMs: 0 });
  expect(seen).toEqual([]);
});

test('an execution that comes first to a server which has its calls begins when its turn comes, and is due then', async () => {
  const { projectId } = app.keys;
  const id = await activate(app, chain(node('hook', 'webhook', { url: `${base}/` })));
  const event = await emitted(app, 'signed.up', null);
  const begun = async (calls: CallGate): Promise<unknown> => {
    app.processes.start.mockClear();
    const contactId = await contact(app);
    await enrolByEvent({ ...app.core, calls }, id, contactId, { ...event, _id: `evt_${contactId}`, contactId });
    return app.processes.start.mock.calls[0]?.[0];
  };
  const attributes = { projectId, automationId: id, contactId: expect.any(String) };
  const calls = new CallGate(app.core.log);
  expect(await begun(calls)).not.toHaveProperty('afterMs');
  const callee = { kind: 'within', projectId, host: new URL(base).host } as const;
  const passes = Array.from({ length: 10 }, () => calls.ask(callee));
  expect(await begun(calls)).toMatchObject({ afterMs: 500, attributes });
  passes[0]?.leave(null);
  expect(await begun(calls)).not.toHaveProperty('afterMs');

  const gone = new CallGate(app.core.log, { pausesMs: [90_000], storm: 1, stormMs: 60_000 });
  gone.ask(callee)?.leave({ errorClass: 'time-out' });
  const before = Date.now();
  const { afterMs = 0, attributes: shown } = (await begun(gone)) as StartIntent;
  expect(afterMs).toBeGreaterThan(80_000);
  expect(Date.parse(shown.due ?? '')).toBeGreaterThanOrEqual(before + afterMs);
});

test('an address that is not public is not called: not by number, not by name', async () => {
  const strict = { ...app.core, config: { ...app.core.config, WEBHOOK_ALLOW_PRIVATE: false } };
  const port = new URL(base).port;
  for (const host of ['127.0.0.1', 'localhost']) {
    const id = await activate(app, chain(node('hook', 'webhook', { url: `http://${host}:${port}/` })));
    const executionId = await enrol(app, id, await contact(app));
    const input = { executionId, projectId: app.keys.projectId, now: Date.now() };
    await runOn(strict, input, null);
    expect(await callNode(strict, { ...input, attempt: 1 })).toMatchObject({ next: 'over' });
    expect((await runOf(app, executionId)).steps[1]).toMatchObject({ branch: 'failure', error: expect.stringContaining('not public') });
  }
  expect(seen).toEqual([]);
});

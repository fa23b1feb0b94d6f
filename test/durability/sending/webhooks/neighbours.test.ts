import type { ProjectKeys } from '../../../../src/records/projects/service';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { aReceiver } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

jest.setTimeout(240_000);

const EXECUTIONS = 160;
/** Without limits each takes as long as the time-out of the calls that are in its way: 15 s and more. */
const SOON_MS = 5_000;

const mute = aReceiver();
const well = aReceiver();
const platform = aPlatform({ env: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });
let noisy: ProjectKeys;

beforeAll(async () => {
  mute.answer = () => undefined;
  noisy = await newProject('Noisy');
});

async function call(key: string, route: string, body: unknown): Promise<Record<string, string>> {
  const answered = await platform.request('POST', route, body, { authorization: `Bearer ${key}` });
  if (answered.status >= 300) throw new Error(`${route}: ${answered.status} ${JSON.stringify(answered.body)}`);
  return answered.body.data as Record<string, string>;
}

async function automation(key: string, url: string): Promise<void> {
  const graph = {
    nodes: [
      { id: 'start', type: 'trigger', config: {} },
      { id: 'hook', type: 'webhook', config: { url } },
    ],
    edges: [{ from: 'start', to: 'hook' }],
  };
  const { workflowId = '' } = await call(key, '/v1/workflows', { name: url, trigger: 'event:begin', graph });
  await platform.request('PATCH', `/v1/workflows/${workflowId}`, { status: 'active' }, { authorization: `Bearer ${key}` });
}

async function took(what: string, begin: () => Promise<unknown>, isDone: () => boolean): Promise<number> {
  const began = Date.now();
  await begin();
  await eventually(what, isDone, 60_000);
  return Date.now() - began;
}

test('hundreds of calls of one project to a mute server delay no webhook, automation or mail of another', async () => {
  const { secret } = platform.keys;
  await automation(noisy.secret, `${mute.url}/`);
  await automation(secret, `${well.url}/step`);
  await call(secret, '/v1/webhooks', { url: `${well.url}/told`, events: ['order.placed'] });
  const at = (path: string) => () => well.received.some((request) => request.path === path);
  for (let n = 0; n < EXECUTIONS; n += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(noisy.secret, '/v1/events', { name: 'begin', email: `a${n + index}@example.com` })),
    );
  }
  const { projectId } = noisy;
  await eventually(
    'all are there',
    async () => (await stored.executions.count({ projectId, currentNodeId: 'hook', runId: { $type: 'string' } })) === EXECUTIONS,
  );
  expect(mute.received.length).toBeGreaterThanOrEqual(10);

  const waited = {
    webhook: await took('the webhook', () => call(secret, '/v1/events', { name: 'order.placed', email: 'b@example.com' }), at('/told')),
    step: await took('the step', () => call(secret, '/v1/events', { name: 'begin', email: 'b@example.com' }), at('/step')),
    mail: await took(
      'the mail',
      () => call(secret, '/v1/send', { to: 'b@example.com', from: 'hello@hello.test', subject: 'Hello', text: 'Hello' }),
      () => platform.arrived('b@example.com').length === 1,
    ),
  };
  expect(Object.values(waited).every((ms) => ms < SOON_MS) || waited).toBe(true);
  expect(mute.open.most).toBeLessThanOrEqual(10);
});

import type { ProjectKeys } from '../../../../src/records/projects/service';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { aReceiver } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

jest.setTimeout(240_000);

const EXECUTIONS = 160;
/** Without limits each waits as long as the calls that are in its way, which are given up after two minutes. */
const WITHIN_MS = 60_000;

const mute = aReceiver();
const well = aReceiver();
const platform = aPlatform({ env: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_SECONDS: '120' } });
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

  await call(secret, '/v1/events', { name: 'order.placed', email: 'b@example.com' });
  await eventually('the webhook', at('/told'), WITHIN_MS);
  await call(secret, '/v1/events', { name: 'begin', email: 'b@example.com' });
  await eventually('the step', at('/step'), WITHIN_MS);
  await call(secret, '/v1/send', { to: 'b@example.com', from: 'hello@hello.test', subject: 'Hello', text: 'Hello' });
  await eventually('the mail', () => platform.arrived('b@example.com').length === 1, WITHIN_MS);
  expect(mute.open.most).toBeLessThanOrEqual(10);
  expect(mute.open.now).toBeGreaterThan(0);
});

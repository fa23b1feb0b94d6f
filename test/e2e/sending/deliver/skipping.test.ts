import { deliveryProgressQuery, deliveryPumpId, shardOf } from '../../../../src/contracts/delivery';
import { WorkflowNotFoundError } from '@temporalio/client';
import { aSkippingPlatform } from '../../../support/platform/skipping';
import { eventually } from '../../../support/platform/platform';
import { eventNamesOf } from '../../../support/data/event-names';

const DAY_MS = 24 * 3600 * 1000;
const RETRY_SECONDS = [30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800];

const platform = aSkippingPlatform();

beforeEach(() => {
  platform.smtp.script = {};
});

async function accept(to: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, data } = await platform.call('POST', '/v1/send', { to, subject: 'Hello', text: 'Hello', ...more });
  expect(status).toBe(200);
  return data.results[0]?.id ?? '';
}

/** Lets time pass once the pump sleeps: a run that is under way keeps to the time at which it began. */
async function skip(ms: number): Promise<void> {
  const pump = platform.env.client.workflow.getHandle(deliveryPumpId(shardOf(platform.keys.projectId)));
  const sleeps = async (): Promise<boolean> => (await pump.query(deliveryProgressQuery)).state === 'waiting';
  await eventually('the pump sleeps', () => sleeps().catch((error: unknown) => error instanceof WorkflowNotFoundError));
  await platform.env.sleep(ms);
}

const statusOf = async (id: string): Promise<unknown> => (await platform.call('GET', `/v1/emails/${id}`)).data['status'];
const reaches = (id: string, status: string): Promise<unknown> =>
  eventually(`${id} is ${status}`, async () => (await statusOf(id)) === status);
const arrivedAt = (to: string): number => platform.smtp.messages.filter((message) => message.to === to).length;

test('a message scheduled 30 days ahead waits for its time and then goes out', async () => {
  const sendAt = new Date(Date.now() + 30 * DAY_MS).toISOString();
  const id = await accept('later@example.com', { sendAt });

  await skip(29 * DAY_MS);
  expect(await statusOf(id)).toBe('queued');
  expect(arrivedAt('later@example.com')).toBe(0);

  await skip(DAY_MS + 5_000);
  await reaches(id, 'delivered');
  expect(arrivedAt('later@example.com')).toBe(1);
});

test('a server that is always busy is asked on the whole schedule, 24 hours in all, and then the message fails', async () => {
  platform.smtp.script = { rcpt: { reply: '451 4.3.0 Busy' } };
  const began = await platform.env.currentTimeMs();
  const id = await accept('busy@example.com');
  for (const [index, seconds] of RETRY_SECONDS.entries()) {
    await eventually(`attempt ${index + 1} was put off`, async () => {
      const { data } = await platform.call('GET', `/v1/emails/${id}`);
      return data['attempts'] === index + 1 && data['status'] === 'queued';
    });
    await skip(seconds * 1000 + 500);
  }
  await reaches(id, 'failed');
  const { data } = await platform.call('GET', `/v1/emails/${id}`);
  expect(data).toMatchObject({ attempts: RETRY_SECONDS.length + 1, error: '451 4.3.0 Busy', bounceType: null });
  expect((await platform.env.currentTimeMs()) - began).toBeGreaterThanOrEqual(RETRY_SECONDS.reduce((sum, wait) => sum + wait, 0) * 1000);
  expect(await eventNamesOf(id)).toEqual(['email.queued', ...RETRY_SECONDS.map(() => 'email.deferred'), 'email.failed']);
});

test('a message that was put off goes out at its next attempt, with the same Message-ID', async () => {
  platform.smtp.script = { dot: { reply: '452 4.2.2 Full' } };
  const id = await accept('patient@example.com');
  await eventually('it was put off', async () => (await platform.call('GET', `/v1/emails/${id}`)).data['attempts'] === 1);
  platform.smtp.script = {};
  await skip(31_000);
  await reaches(id, 'delivered');
  const { data } = await platform.call('GET', `/v1/emails/${id}`);
  expect(
    platform.smtp.messages.filter((message) => message.to === 'patient@example.com').map((message) => message.headers['message-id']),
  ).toEqual([data['messageId']]);
});

test('a recipient who is suppressed while the message waits does not get it, and the credit is given back', async () => {
  const id = await accept('changed@example.com', { sendAt: new Date((await platform.env.currentTimeMs()) + DAY_MS).toISOString() });
  const before = (await platform.call('GET', '/v1/billing')).data['used'] as number;
  expect((await platform.call('POST', '/v1/suppressions', { email: 'changed@example.com' })).status).toBe(201);
  await skip(DAY_MS + 5_000);
  await reaches(id, 'cancelled');
  expect(arrivedAt('changed@example.com')).toBe(0);
  expect((await platform.call('GET', '/v1/billing')).data['used']).toBe(before - 1);
});

import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import type { CampaignPageResult } from '../../../../src/contracts/campaign';
import { parseRequest } from '../../../../src/processes/admin/request';
import { platformOf } from '../../../../src/processes/admin/platform';
import { LEASE_TIMES } from '../../../../src/sending/deliver/lease';
import { PUMP_TIMES } from '../../../../src/sending/deliver/pump';
import { currentPause, forgetPause, pauseSending, resumeSending } from '../../../../src/sending/pause';
import { loadConfig } from '../../../../src/platform/config/config';
import { standingStill } from '../../../../src/upkeep/presence';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { campaignCalls } from '../../../support/calls/campaigns';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';
import { aDeliveryHost } from '../../../support/platform/delivery-host';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_CONNECTIONS: '2' },
}));
const host = aDeliveryHost(app, { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 200 } });
const { running, rows } = campaignCalls(() => app);

const send = async (to: string): Promise<string> => {
  const { body } = await app.api().post('/v1/send').send({ to, from: 'a@hello.test', subject: 'Hello', text: 'Hello' }).expect(200);
  return body.data.results[0].id as string;
};

/** The pumps of all shards run until nothing is due or they are ended. */
function pumps(): { end(): Promise<void>; readonly over: Promise<unknown> } {
  const abort = new AbortController();
  const over = Promise.all(
    Array.from({ length: DELIVERY_SHARDS }, (_, shard) =>
      host.pump({ shard, startedAt: Date.now(), stay: true, signal: abort.signal, beat: () => undefined }),
    ),
  );
  const end = async (): Promise<void> => {
    abort.abort();
    await over;
  };
  return { end, over };
}

const known = (paused: boolean): Promise<unknown> => eventually('the worker knows', () => host['engine'].paused === paused);
const page = (campaignId: string): Promise<CampaignPageResult> => {
  const input = { campaignId, projectId: app.keys.projectId, from: '', to: null, subject: 'own', winner: null } as const;
  return host.campaignPage({ input, signal: new AbortController().signal });
};

const commands = platformOf(loadConfig({}), () => undefined);
const admin = async (...words: string[]): Promise<unknown> => (await parseRequest(words).run(commands)).result;

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.emails.remove(), stored.pauses.remove()]);
  forgetPause();
  await known(false);
});

test('while sending is paused mail is accepted and none goes out; when it is resumed all of it does, once, by the pumps that waited', async () => {
  await pauseSending('blocked at the smarthost');
  await known(true);
  const before = smtp.messages.length;
  const ids = await Promise.all(Array.from({ length: 20 }, (_, at) => send(`held${at}@example.com`)));
  const waiting = pumps();
  // The pumps have looked, and look again.
  await eventually('they run', async () => (await stored.emails.count({ status: 'queued' })) === ids.length);
  await page(await running(3));
  expect(smtp.messages.length).toBe(before);
  expect(await stored.emails.count({ status: 'queued', attempts: 0 })).toBe(ids.length);
  await resumeSending();
  await eventually('all are delivered', async () => (await stored.emails.count({ status: 'delivered', attempts: 1 })) === ids.length);
  expect(smtp.messages.length).toBe(before + ids.length);
  await waiting.end();
});

test('a pause that comes while mail goes out stops what is not on the wire, and loses nothing', async () => {
  const before = smtp.messages.length;
  const ids = await Promise.all(Array.from({ length: 30 }, (_, at) => send(`slow${at}@example.com`)));
  const running = pumps();
  await eventually('some went out', () => smtp.messages.length > before);
  await pauseSending(null);
  await known(true);
  await eventually('what was begun is recorded', async () => (await stored.emails.count({ status: 'sending' })) === 0);
  const [out, delivered] = [smtp.messages.length - before, await stored.emails.count({ status: 'delivered' })];
  expect(out).toBe(delivered);
  await resumeSending();
  await eventually('all are delivered', async () => (await stored.emails.count({ status: 'delivered' })) === ids.length);
  expect(smtp.messages.length - before).toBe(ids.length);
  await running.end();
});

test('what waits for a pause can be cancelled, and a recipient who leaves meanwhile gets nothing', async () => {
  await pauseSending(null);
  await known(true);
  const gone = await send('gone@example.com');
  await app.api().post('/v1/suppressions').send({ email: 'gone@example.com', reason: 'manual' });
  await stored.emails.change(gone, { createdAt: new Date(Date.now() - 3_600_000) });
  const waiting = pumps();
  await resumeSending();
  await eventually('it is judged again', async () => (await stored.emails.one(gone))?.status === 'cancelled');
  expect(smtp.messages.filter(({ to }) => to === 'gone@example.com')).toEqual([]);
  await waiting.end();
});

test('a campaign holds, says why, and goes on', async () => {
  const id = await running(5);
  await pauseSending(null);
  await known(true);
  expect(await page(id)).toMatchObject({ sent: 0, done: false, held: 'sending_paused' });
  expect((await app.api().get(`/v1/campaigns/${id}`)).body.data).toMatchObject({ status: 'sending', heldReason: 'sending_paused' });
  await resumeSending();
  await known(false);
  expect(await page(id)).toMatchObject({ sent: 5, done: true, held: null });
  expect((await rows(id)).length).toBe(5);
});

test('a slice that is under way when sending is paused ends: what is not on the wire waits in the queue', async () => {
  const id = await running(40);
  const before = smtp.messages.length;
  smtp.script = () => {
    if (smtp.messages.length - before >= 5) host['engine'].paused = true;
    return {};
  };
  await page(id);
  smtp.script = {};
  const out = smtp.messages.length - before;
  expect(out).toBeGreaterThanOrEqual(5);
  expect(out).toBeLessThan(40);
  expect(await stored.emails.count({ campaignId: id, status: 'delivered' })).toBe(out);
  await stored.emails.changeAll({ status: 'queued' }, { dueAt: new Date(0) });
  const going = pumps();
  await known(false);
  await eventually('the rest goes out', async () => {
    await page(id);
    return (await stored.emails.count({ campaignId: id, status: 'delivered' })) === 40;
  });
  expect(smtp.messages.length - before).toBe(40);
  await going.end();
});

test('operators pause, see and resume it, and everybody sees at /v1/health that it is so', async () => {
  expect(await admin('status')).toMatchObject({ sending: 'active', pausedSince: null, restoreFence: 'none' });
  const paused = { sending: 'paused', pausedSince: expect.any(Date), reason: 'the smarthost is blocked' };
  expect(await admin('pause-sending', 'the smarthost is blocked')).toEqual(paused);
  expect(await admin('status')).toMatchObject(paused);
  expect(await standingStill()).toContainEqual(expect.stringMatching(/^Sending is paused by an operator/));
  const since = (await currentPause())?.since;
  expect(await admin('pause-sending')).toMatchObject({ sending: 'paused', pausedSince: since, reason: null });
  expect(await admin('resume-sending')).toEqual({ sending: 'active', pausedSince: null, reason: null });
  expect(await standingStill()).not.toContainEqual(expect.stringMatching(/paused/));
  await admin('resume-sending');
  const audit = (await admin('audit', '--limit', '3')) as { readonly action: string }[];
  expect(audit.map(({ action }) => action)).toEqual(['sending.resume', 'sending.pause', 'sending.pause']);
  expect(() => parseRequest(['pause-sending', 'two', 'reasons'])).toThrow('Usage: pause-sending [reason]');
});

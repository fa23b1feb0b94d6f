import type { CampaignPageResult } from '../../../../src/contracts/campaign';
import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import { PRIORITY_OF } from '../../../../src/records/emails/model';
import { LEASE_TIMES, takeOver } from '../../../../src/sending/deliver/lease';
import { PUMP_TIMES } from '../../../../src/sending/deliver/pump';
import { decideFence, fenceStatus, raiseFence, forgetFence } from '../../../../src/sending/restore-fence';
import { parseRequest } from '../../../../src/processes/admin/request';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';
import { aDeliveryHost } from '../../../support/platform/delivery-host';

const HOUR_MS = 3_600_000;
const smtp = aMailServer();
const app = aProject(() => ({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } }));
const host = aDeliveryHost(app, { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 200 } });

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.emails.remove(), stored.heldMail.remove(), stored.fences.remove()]);
  forgetFence();
});

const { running, rows } = campaignCalls(() => app);
const quiet = (): void => undefined;
const send = async (to: string, more: object = {}): Promise<string> => {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ to, from: 'a@hello.test', subject: 'Hello', text: 'Hello', ...more })
    .expect(200);
  return body.data.results[0].id as string;
};
/** One run of each pump, until nothing is due. */
const pump = async (): Promise<void> => {
  forgetFence();
  const signal = new AbortController().signal;
  const shards = Array.from({ length: DELIVERY_SHARDS }, (_, shard) => shard);
  await Promise.all(shards.map((shard) => host.pump({ shard, startedAt: Date.now(), stay: true, signal, beat: quiet })));
};
const arrived = (to: string): number => smtp.messages.filter((message) => message.to === to).length;
/** Everything in the database is of before this instant. */
const backup = async (): Promise<Date> => {
  const instant = new Date(Date.now() + 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  return instant;
};

describe('messages', () => {
  test('what waits is held, with what is taken over from before; scheduled mail that is due later and new mail go out', async () => {
    const waits = await send('waits@example.com');
    const wire = await send('wire@example.com');
    const later = await send('later@example.com', { sendAt: new Date(Date.now() + HOUR_MS).toISOString() });
    const attempt = { id: 'att_1', worker: 'wrk_of_before', at: new Date() };
    await stored.emails.change(wire, { $set: { status: 'sending', attempt, attempts: 1 }, $unset: { dueAt: 1 } });
    const instant = await backup();
    expect(await raiseFence(instant, quiet)).toMatchObject({
      held: [{ projectId: app.keys.projectId, messages: 1 }],
      onTheWire: 1,
      decision: null,
    });
    await takeOver(app.core, { worker: attempt.worker, except: [], claimedBefore: new Date() }, new Date());
    await stored.emails.change(later, { dueAt: new Date(), priority: PRIORITY_OF.transactional });
    await send('new@example.com');
    await pump();
    expect(['waits', 'wire', 'later', 'new'].map((name) => arrived(`${name}@example.com`))).toEqual([0, 0, 1, 1]);
    expect(await fenceStatus()).toMatchObject({ held: [{ messages: 2 }], onTheWire: 0 });
    expect(await stored.emails.one(wire)).toMatchObject({ status: 'queued', error: expect.stringContaining('restored') });
    const { body } = await app.api().get(`/v1/emails/${waits}`).expect(200);
    expect(body.data).toMatchObject({ status: 'queued', error: expect.stringContaining('operator') });

    expect(await decideFence('release', quiet)).toMatchObject({ decision: 'release', released: 2, held: [] });
    await pump();
    expect(['waits', 'wire'].map((name) => arrived(`${name}@example.com`))).toEqual([1, 1]);
    expect(await stored.emails.one(waits)).toMatchObject({ status: 'delivered' });
  });

  test('a worker holds what the command had not come to when it was killed', async () => {
    const id = await send('killed@example.com');
    const instant = await backup();
    await stored.fences.make({ _id: 'fence', instant, raisedAt: new Date(), decision: null });
    await pump();
    expect([arrived('killed@example.com'), await stored.heldMail.count()]).toEqual([0, 1]);
    // Killed before it was taken out of what is due, it is held again, once.
    await stored.emails.change(id, { dueAt: new Date(0) });
    await pump();
    expect([arrived('killed@example.com'), await stored.heldMail.count()]).toEqual([0, 1]);
  });

  test('taken as sent: nothing goes out, also of what comes up later; a second call goes on', async () => {
    const ids = [await send('one@example.com'), await send('two@example.com')];
    const late = await send('late@example.com');
    const instant = await backup();
    await stored.emails.change(late, { $set: { status: 'sending' }, $unset: { dueAt: 1 } });
    await raiseFence(instant, quiet);
    const said: number[] = [];
    expect(await decideFence('mark-sent', (messages) => said.push(messages))).toMatchObject({ marked: 2, held: [] });
    expect(said).toEqual([2]);
    await stored.emails.change(late, { status: 'queued', dueAt: new Date(0) });
    await pump();
    for (const id of [...ids, late]) expect(await stored.emails.one(id)).toMatchObject({ status: 'sent', sentAt: instant, attempts: 0 });
    expect(['one', 'two', 'late'].map((name) => arrived(`${name}@example.com`))).toEqual([0, 0, 0]);
    expect(await decideFence('mark-sent', quiet)).toMatchObject({ marked: 3 });
  });

  test('taken as sent: what its sender wants nothing kept of is gone with it, and the others keep what they say', async () => {
    const [passing, kept] = [await send('passing@example.com', { retainContent: false }), await send('kept@example.com')];
    await raiseFence(await backup(), quiet);
    expect(await decideFence('mark-sent', quiet)).toMatchObject({ marked: 2, held: [] });
    expect(await stored.emails.one(passing)).toMatchObject({ status: 'sent', subject: '', values: '{}', content: 'gone' });
    expect(JSON.stringify(await stored.emails.one(passing))).not.toContain('Hello');
    expect(await stored.emails.one(kept)).toMatchObject({ status: 'sent', subject: 'Hello' });
  });

  test('one that is cancelled while it is held stays so', async () => {
    const id = await send('cancelled@example.com', { sendAt: new Date(Date.now() + HOUR_MS).toISOString() });
    await stored.emails.change(id, { dueAt: new Date(0) });
    await raiseFence(await backup(), quiet);
    await app.api().delete(`/v1/emails/${id}`).expect(200);
    await decideFence('release', quiet);
    expect(await stored.emails.one(id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('campaigns', () => {
  const page = (campaignId: string): Promise<CampaignPageResult> => {
    forgetFence();
    const input = { campaignId, projectId: app.keys.projectId, from: '', to: null, subject: 'own', winner: null } as const;
    return host.campaignPage({ input, signal: new AbortController().signal });
  };
  const held = () => ({ sent: 0, skipped: 0, done: false, held: 'restored', over: false, queues: [host.queue] });

  test('one that was sending holds until it is let go', async () => {
    const id = await running(5);
    await raiseFence(await backup(), quiet);
    expect(await page(id)).toEqual(held());
    expect(await stored.campaigns.one(id)).toMatchObject({ status: 'sending', heldReason: 'restored' });
    expect(await fenceStatus()).toMatchObject({
      campaigns: expect.arrayContaining([expect.objectContaining({ campaignId: id, waiting: 5 })]),
    });
    const anew = await running(3);
    expect(await page(anew)).toMatchObject({ sent: 8, done: true });
    await decideFence('release', quiet);
    expect(await page(id)).toMatchObject({ sent: 5, done: true });
  });

  test('one that is taken as sent leaves out those who have no message', async () => {
    const id = await running(5);
    const [first] = await rows(id);
    await stored.recipients.changeAll({ campaignId: id, _id: { $ne: first?._id ?? '' } }, { status: 'skipped', skipReason: 'test' });
    expect(await page(id)).toMatchObject({ sent: 1, done: true });
    await stored.recipients.changeAll({ campaignId: id }, { status: 'pending', skipReason: null });
    await raiseFence(await backup(), quiet);
    await decideFence('mark-sent', quiet);
    expect(await page(id)).toMatchObject({ sent: 0, skipped: 4, done: true });
    expect(await stored.recipients.count({ campaignId: id, skipReason: 'restored' })).toBe(4);
  });

  test('one that was scheduled holds if it was to begin in the time that is lost', async () => {
    const [past, ahead] = [await running(2), await running(2)];
    const now = Date.now();
    const instant = await backup();
    await stored.campaigns.change(past, { scheduledFor: new Date(now), startedAt: new Date(now + HOUR_MS) });
    await stored.campaigns.change(ahead, { scheduledFor: new Date(now + HOUR_MS), startedAt: new Date(now + HOUR_MS) });
    await raiseFence(instant, quiet);
    expect(await page(past)).toEqual(held());
    expect(await page(ahead)).toMatchObject({ sent: 4 });
  });
});

test('the command knows its words, and an instant that is whole and past', async () => {
  for (const word of ['status', 'release', 'mark-sent', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00+01:00'])
    parseRequest(['restore-fence', word]);
  for (const word of ['2026-01-31', 'yesterday', '2026-13-31T12:00:00Z', 'lift']) {
    expect(() => parseRequest(['restore-fence', word])).toThrow('Give the instant');
  }
  await expect(raiseFence(new Date(Date.now() + HOUR_MS), quiet)).rejects.toThrow('not in the future');
  await expect(decideFence('release', quiet)).rejects.toThrow('No restore fence');
  expect(await fenceStatus()).toEqual({ raised: false });
});

import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import { LEASE_TIMES } from '../../../../src/sending/deliver/lease';
import { PUMP_TIMES } from '../../../../src/sending/deliver/pump';
import { withoutBlocked } from '../../../../src/sending/deliver/recheck';
import { recordReturned } from '../../../../src/sending/deliver/returned';
import { formsOf, preferenceCalls } from '../../../support/calls/preference-calls';
import { importCsv } from '../../../support/calls/imports';
import { activate, always, chain, node, play } from '../../../support/calls/automations';
import { topicCalls } from '../../../support/calls/topics';
import { aReader, freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_CONNECTIONS: '2' },
}));
const host = aDeliveryHost(app, { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 200 } });
const { topic, leave } = topicCalls(() => app);
const { page, post, filled } = preferenceCalls(() => app);
const api = () => app.api();

beforeEach(async () => {
  smtp.script = {};
  await Promise.all([stored.emails.remove(), stored.contacts.remove(), stored.suppressions.remove()]);
});

const MESSAGE = { subject: 'Hello', text: 'Hello', from: 'team@hello.test' };
const sendAll = async (to: readonly string[], more: object = {}): Promise<readonly string[]> => {
  const { body } = await api()
    .post('/v1/send')
    .send({ to, ...MESSAGE, type: 'marketing', ...more })
    .expect(200);
  return (body.data.results as { id: string }[]).map(({ id }) => id);
};
const send = async (to: string, more: object = {}): Promise<string> => (await sendAll([to], more))[0] as string;
const statusOf = async (id: string) => (await stored.emails.get(id))?.status;
const deliverAll = (): Promise<unknown> => {
  const { signal } = new AbortController();
  return Promise.all(
    Array.from({ length: DELIVERY_SHARDS }, (_, shard) =>
      host.pump({ shard, startedAt: Date.now(), stay: false, signal, beat: () => undefined }),
    ),
  );
};
/** Reports something about an earlier message to an address. */
const returned = async (to: string, what: Parameters<typeof recordReturned>[2]): Promise<unknown> =>
  recordReturned(app.core, (await aReader(app.keys.projectId, { to, sentAt: new Date() }, null)).email._id, what);
const csv = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('what waits for a person is cancelled before the answer, with', () => {
  const ways: readonly [string, (to: string, news: Awaited<ReturnType<typeof topic>>, emailId: string) => Promise<unknown>][] = [
    ['a topic that they leave', (to, news) => leave(encodeURIComponent(to), news).then()],
    ['a pause', async (_to, _news, emailId) => post(emailId, filled(await page(emailId), { pause: '1m' }))],
    ['an opt-out on the page', (_to, _news, emailId) => post(emailId, [['action', 'off']])],
    ['a contact that is unsubscribed', (email) => api().post('/v1/contacts').send({ email, subscribed: false }).expect(200).then()],
    [
      'many that are',
      (email) =>
        api()
          .post('/v1/contacts/bulk')
          .send({ action: 'unsubscribe', emails: [email] })
          .expect(200)
          .then(),
    ],
    ['a suppression', (email) => api().post('/v1/suppressions').send({ email }).expect(201).then()],
    [
      'an import',
      (email) =>
        api()
          .post('/v1/suppressions/import')
          .send({ suppressions: [{ email }] })
          .expect(200)
          .then(),
    ],
    ['an import that unsubscribes them', (email) => importCsv(app, csv('email,subscribed', `${email},false`))],
    ['a complaint', async (to) => returned(to, { kind: 'complained', feedbackType: 'abuse', at: new Date() })],
    [
      'a bounce that is reported later',
      async (to) => returned(to, { kind: 'bounced', bounceType: 'hard', error: 'gone', suppresses: 'at_once', at: new Date() }),
    ],
    ['an import that takes them out of the topic', (email, { key }) => importCsv(app, csv(`email,topic.${key}`, `${email},false`))],
  ];
  test.each(ways)('%s', async (_name, change) => {
    const news = await topic();
    const [to, other] = [freshAddress(), freshAddress()];
    const [waiting = '', beside = ''] = await sendAll([to, other], { topicId: news.topicId });
    const later = await send(to, { topicId: news.topicId, sendAt: new Date(Date.now() + 3_600_000).toISOString() });
    await change(to, news, waiting);
    expect(await Promise.all([waiting, beside, later].map(statusOf))).toEqual(['cancelled', 'queued', 'queued']);
  });
});

test('an address without a contact leaves a topic, and what waits for it is cancelled', async () => {
  const news = await topic();
  const waiting = await send(freshAddress(), { topicId: news.topicId, createContact: false });
  const leaving = formsOf(await page(waiting)).find(({ text }) => text.includes(news.topicId));
  await post(
    waiting,
    (leaving?.fields ?? []).filter(([name]) => name !== 'topic'),
  );
  expect(await statusOf(waiting)).toBe('cancelled');
});

test('a suppression stops transactional mail that was accepted a moment ago, and an opt-out does not', async () => {
  const [blocked, optedOut] = [freshAddress(), freshAddress()];
  const [first = '', second = ''] = await sendAll([blocked, optedOut], { type: 'transactional' });
  await api().post('/v1/suppressions').send({ email: blocked }).expect(201);
  await api().post('/v1/suppressions').send({ email: optedOut, reason: 'unsubscribe' }).expect(201);
  expect([await statusOf(first), await statusOf(second)]).toEqual(['cancelled', 'queued']);
});

test('an address that the mail server refuses gets nothing of what waits for it', async () => {
  const to = freshAddress();
  const [refused, waiting] = [await send(to), await send(to)];
  // Due so soon that a pump may have found it.
  await stored.emails.change(waiting, { dueAt: new Date(Date.now() + 30_000) });
  smtp.script = { rcpt: { reply: '550 5.1.1 No such user' } };
  await deliverAll();
  expect([await statusOf(refused), await statusOf(waiting)]).toEqual(['bounced', 'cancelled']);
});

test('a contact whom an automation unsubscribes gets nothing of what waits for it', async () => {
  const to = freshAddress();
  const waiting = await send(to);
  const contactId = (await stored.emails.get(waiting))?.contactId ?? '';
  const workflow = await activate(app, chain(node('leave', 'update_contact', { subscribed: false })), always);
  const { steps } = await play(app, workflow, contactId);
  expect(steps.map(({ status }) => status)).toEqual(['completed', 'completed']);
  await eventually('it is cancelled', async () => (await statusOf(waiting)) === 'cancelled');
});

test('a message whose acceptance ends after the change is looked at before it goes out, however new it is', async () => {
  const news = await topic();
  const [leaves, stays] = [freshAddress(), freshAddress()];
  const ids = await sendAll([leaves, stays], { topicId: news.topicId });
  await leave(encodeURIComponent(leaves), news);
  // As its transaction would store it, had it read the contact before the change.
  await stored.emails.change(ids[0] ?? '', { status: 'queued', dueAt: new Date() });
  const wanted = await withoutBlocked(app.core, await stored.emails.all({ _id: { $in: ids } }), new Date());
  expect(wanted.map(({ to }) => to)).toEqual([stays]);
});

test('once the API has answered, no single message of the topic begins: 50 races against the delivery', async () => {
  const news = await topic();
  const people = Array.from({ length: 80 }, freshAddress);
  const ids = (await Promise.all([0, 40].map((at) => sendAll(people.slice(at, at + 40), { topicId: news.topicId })))).flat();
  smtp.script = { dot: { delayMs: 60 } };
  const delivered = deliverAll();
  const begunAtAnswer = new Map<string, boolean>();
  const inTurn = people.map((to, index) => [to, ids[index] ?? ''] as const).filter((_one, index) => index % 8 < 5);
  const race = async (): Promise<void> => {
    for (let one = inTurn.pop(); one; one = inTurn.pop()) {
      const [to, id] = one;
      await leave(encodeURIComponent(to), news);
      begunAtAnswer.set(id, !['queued', 'cancelled'].includes((await statusOf(id)) ?? ''));
    }
  };
  await Promise.all([race(), race(), race()]);
  await delivered;
  expect(begunAtAnswer.size).toBe(50);
  for (const [id, begun] of begunAtAnswer) expect([id, await statusOf(id)]).toEqual([id, begun ? 'delivered' : 'cancelled']);
  expect(await stored.emails.count({ status: 'delivered' })).toBe(80 - [...begunAtAnswer.values()].filter((begun) => !begun).length);
});

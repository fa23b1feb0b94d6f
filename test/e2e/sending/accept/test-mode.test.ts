import { aPlatform, eventually } from '../../../support/platform/platform';
import type { Answer } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

const platform = aPlatform();

const testing = (headers: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  authorization: `Bearer ${platform.keys.test}`,
  ...headers,
});
const MESSAGE = { subject: 'Hello {{email}}', html: '<p>Hello {{firstName | "you"}}</p>' };

let counter = 0;
const address = (): string => `tester-${++counter}@example.com`;

const sendTest = (to: unknown, more: object = {}): Promise<Answer> => platform.post('/v1/send', { to, ...MESSAGE, ...more }, testing());

/** The id of a message that a test key sent. */
async function sentTest(to: string, more: object = {}): Promise<string> {
  const { status, body } = await sendTest(to, more);
  expect([status, body.data?.results?.[0]?.id]).toEqual([200, expect.any(String)]);
  return body.data.results[0].id as string;
}

const emailOf = async (id: string): Promise<Answer['body']> => (await platform.get(`/v1/emails/${id}`)).body.data;

interface Accounts {
  readonly used: number;
  readonly creditsUsed: number;
  readonly categories: object;
  readonly reputation: { readonly volume: number };
}

/** What is counted: credits, categories and reputation, once every live message that went out is in them. */
async function accounts(): Promise<Accounts> {
  return eventually('all live messages are counted', async () => {
    const { used, creditsUsed, categories, reputation } = (await platform.get('/v1/billing')).body.data as Accounts;
    const sent = await stored.emails.count({ testMode: false, sentAt: { $ne: null }, to: { $not: /@simulator/ } });
    return reputation.volume === sent ? { used, creditsUsed, categories, reputation } : null;
  });
}

/** Resolves once the mail system is past everything accepted so far: a live message goes out after it. */
async function overtaken(): Promise<void> {
  await platform.untilStatus(await platform.send(address()), 'delivered');
}

const eventsOf = (id: string): Promise<{ name: string; testMode: boolean; data: Record<string, unknown> | null }[]> =>
  stored.events.all({ emailId: id }, { createdAt: 1, _id: 1 });

test('a message is sent at once, rendered, logged, emitted in test mode, and goes nowhere', async () => {
  const to = address();
  const before = await accounts();
  const { status, body } = await sendTest({ email: to, name: 'Ada Lovelace' }, { attachments: [{ filename: 'a', content: 'YQ==' }] });
  expect([status, body.data]).toEqual([200, { results: [{ id: expect.any(String), to, status: 'sent' }], testMode: true }]);
  const id = body.data.results[0].id as string;
  expect(await emailOf(id)).toMatchObject({
    status: 'sent',
    testMode: true,
    subject: `Hello ${to}`,
    body: expect.stringContaining('<p>Hello Ada</p>'),
    sentAt: expect.any(String),
    deliveredAt: null,
  });
  expect(await accounts()).toEqual(before);
  const events = await eventually('its events', async () => {
    const emitted = await eventsOf(id);
    return emitted.some(({ name }) => name === 'email.sent') ? emitted : null;
  });
  expect(events.map(({ testMode, data }) => [testMode, data?.['testMode']])).toEqual(events.map(() => [true, true]));
  await overtaken();
  expect(platform.arrived(to)).toEqual([]);
  expect(await emailOf(id)).toMatchObject({ status: 'sent', attempts: 0 });
});

test('lists show test and live messages together, marked by testMode', async () => {
  const to = address();
  const [test, live] = [await sentTest(to), await platform.send(to)];
  for (const headers of [{}, testing()]) {
    const { body } = await platform.request('GET', `/v1/emails?to=${to}`, undefined, headers);
    const rows = body.data as { emailId: string; testMode: boolean }[];
    expect(rows.map(({ emailId, testMode }) => [emailId, testMode])).toEqual([
      [live, false],
      [test, true],
    ]);
  }
});

test('From needs no verified domain with a test key, and does with a live one', async () => {
  const from = 'anyone@unverified.example';
  expect(await emailOf(await sentTest(address(), { from }))).toMatchObject({ fromEmail: from, status: 'sent' });
  const live = await platform.post('/v1/send', { to: address(), from, ...MESSAGE });
  expect([live.status, live.body.code, live.body.details]).toMatchObject([422, 'send_failed', [{ path: '', code: 'unverified_domain' }]]);
});

test('a test message without From is from hello@ the first verified domain, and needs none', async () => {
  expect(await emailOf(await sentTest(address()))).toMatchObject({ fromEmail: 'hello@hello.test' });
  const { test: key, secret } = await newProject('Without a domain');
  const asked = await platform.post('/v1/send', { to: address(), ...MESSAGE }, { authorization: `Bearer ${key}` });
  expect([asked.status, asked.body.data.results[0].status]).toEqual([200, 'sent']);
  const shown = await platform.request('GET', `/v1/emails/${asked.body.data.results[0].id}`, undefined, { authorization: `Bearer ${key}` });
  expect(shown.body.data.fromEmail).toMatch(/^hello@/);
  const live = await platform.post('/v1/send', { to: address(), ...MESSAGE }, { authorization: `Bearer ${secret}` });
  expect([live.status, live.body.details[0].code]).toEqual([422, 'no_from_address']);
});

test('a test and a live request may carry the same idempotency key', async () => {
  const key = { 'Idempotency-Key': 'order-1' };
  const [first, second] = [address(), address()];
  const ask = (to: string, headers: Record<string, string>): Promise<Answer> =>
    platform.post('/v1/send', { to, from: 'hello@hello.test', ...MESSAGE }, headers);
  const test = await ask(first, testing(key));
  const live = await ask(second, key);
  expect([test.status, test.body.data.testMode, live.status, live.body.data.testMode]).toEqual([200, true, 200, false]);
  await platform.untilStatus(live.body.data.results[0].id as string, 'delivered');
  const replays = [await ask(first, testing(key)), await ask(second, key)];
  expect(replays.map(({ status, headers, body }) => [status, headers.get('x-idempotent-replay'), body.data])).toEqual([
    [200, 'true', { ...test.body.data, replay: true }],
    [200, 'true', { ...live.body.data, replay: true }],
  ]);
  expect((await ask(second, testing(key))).body.code).toBe('idempotency_key_reused');
});

test.each([
  ['delivered', { status: 'delivered', bounceType: null }],
  ['opened+label', { status: 'opened', opens: 1 }],
  ['clicked', { status: 'clicked', clicks: 1 }],
  ['bounced', { status: 'bounced', bounceType: 'hard', error: expect.stringContaining('550 5.1.1') }],
  ['complained', { status: 'complained' }],
  ['failed', { status: 'failed' }],
])('a test message to %s at the simulator ends as it says, and leaves no mark', async (name, ending) => {
  const to = `${name}@simulator.lettermill.test`;
  const before = await accounts();
  const id = await sentTest(to);
  const email = await platform.untilStatus(id, ending.status);
  expect(email).toMatchObject({ ...ending, testMode: true });
  expect((await eventsOf(id)).map(({ testMode }) => testMode)).not.toContain(false);
  expect(await accounts()).toEqual(before);
  expect((await platform.get(`/v1/suppressions/check?email=${encodeURIComponent(to)}`)).body.data.suppressed).toBe(false);
  expect(platform.arrived(to)).toEqual([]);
});

test('a live message to the simulator never leaves either, but counts', async () => {
  const before = (await platform.get('/v1/billing')).body.data.creditsUsed as number;
  const to = 'delivered+live@simulator.lettermill.test';
  const id = await platform.send(to);
  expect(await platform.untilStatus(id, 'delivered')).toMatchObject({ testMode: false });
  expect((await platform.get('/v1/billing')).body.data.creditsUsed).toBe(before + 1);
  expect(platform.arrived(to)).toEqual([]);
});

test('a test message may be scheduled and cancelled, and one whose time comes goes nowhere', async () => {
  const before = await accounts();
  const sendAt = new Date(Date.now() + 2_000).toISOString();
  const to = address();
  const { body } = await sendTest([to, address()], { sendAt });
  const [kept, cancelled] = (body.data.results as { id: string; status: string }[]).map(({ id, status }) => {
    expect(status).toBe('scheduled');
    return id;
  });
  expect((await platform.request('DELETE', `/v1/emails/${cancelled}`, undefined, testing())).status).toBe(200);
  await platform.untilStatus(kept ?? '', 'sent');
  expect(await emailOf(cancelled ?? '')).toMatchObject({ status: 'cancelled' });
  expect(platform.arrived(to)).toEqual([]);
  expect(await accounts()).toEqual(before);
});

test('a suppressed or unsubscribed recipient is skipped as a live one would be', async () => {
  const [suppressed, unsubscribed] = [address(), address()];
  await platform.post('/v1/suppressions', { email: suppressed });
  await sentTest(unsubscribed);
  await stored.contacts.change({ email: unsubscribed }, { subscribed: false });
  const { body } = await sendTest([suppressed, unsubscribed], { type: 'marketing' });
  expect(body.data.results).toEqual([
    { to: suppressed, skipped: 'suppressed' },
    { to: unsubscribed, skipped: 'unsubscribed' },
  ]);
});

test('a template that cannot be rendered fails a test message as it would a live one', async () => {
  const { status, body } = await sendTest(address(), {
    html: '{{#each rows}}{{this}}{{/each}}',
    variables: { rows: Array.from({ length: 10_001 }, () => 1) },
  });
  expect([status, body.code, body.details]).toMatchObject([422, 'send_failed', [{ path: '', code: 'template_render_failed' }]]);
});

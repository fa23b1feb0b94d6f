import request from 'supertest';
import type { Test } from 'supertest';
import { EmailModel } from '../../src/emails/model';
import type { Email } from '../../src/emails/model';
import { clickUrl, openPixelUrl } from '../../src/emails/urls';
import { EventModel } from '../../src/events/model';
import type { Event } from '../../src/events/model';
import { newId } from '../../src/ids';
import { HitMarkModel } from '../../src/tracking/model';
import { startTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { storeEmails } from '../support/email-rows';
import { eventually } from '../support/platform';
import { queryPlans } from '../support/query-plans';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const LINK = 'https://example.com/offer?a=1&b=2#top';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const delivered = async (change: Partial<Email> = {}): Promise<Email> => {
  const at = new Date();
  const [email] = await storeEmails(app.keys.projectId, {
    status: 'delivered',
    sentAt: at,
    deliveredAt: at,
    contactId: 'ctc_1',
    ...change,
  });
  return email as Email;
};

const pathOf = (url: string): string => url.slice(app.core.config.PUBLIC_URL.length);
const pixel = ({ _id }: Pick<Email, '_id'>): string => pathOf(openPixelUrl(app.core, _id));
const link = ({ _id }: Pick<Email, '_id'>, url = LINK): string => pathOf(clickUrl(app.core, _id, url));

const call = (method: 'get' | 'head' | 'post', path: string, headers: Record<string, string> = {}): Test =>
  request(app.url)
    [method](path)
    .redirects(0)
    .set({ 'User-Agent': BROWSER, ...headers });
const get = (path: string, headers?: Record<string, string>): Test => call('get', path, headers);

const now = async ({ _id }: Email): Promise<Email> => (await EmailModel.findById(_id).lean<Email>()) as Email;

interface Told {
  readonly name: string;
  readonly data: Record<string, unknown>;
  readonly testMode: boolean;
}

async function told({ _id }: Email): Promise<Told[]> {
  const events = await EventModel.find({ emailId: _id }).sort({ createdAt: 1 }).lean<Event[]>();
  return events.map(({ name, data, testMode }) => ({ name, data: data ?? {}, testMode }));
}

/** As if the minute since the last event were over. */
const passMinute = () => HitMarkModel.updateMany({}, { $set: { at: new Date(Date.now() - 60_001) } });

describe('the open pixel', () => {
  test('is a GIF of 43 bytes that nobody keeps', async () => {
    const { status, headers, body } = await get(pixel(await delivered()));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store, private',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect((body as Buffer).length).toBe(43);
    expect((body as Buffer).subarray(0, 6).toString()).toBe('GIF89a');
  });

  test('counts every open, moves the status once and tells of it once a minute', async () => {
    const email = await delivered();
    await get(pixel(email), { 'User-Agent': `${BROWSER} ${'x'.repeat(300)}` }).expect(200);
    const opened = await now(email);
    expect(opened).toMatchObject({ status: 'opened', opens: 1, clicks: 0, clickedAt: null });
    expect(opened.openedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await get(pixel(email)).expect(200);
    expect(await now(email)).toEqual({ ...opened, opens: 2 });
    const first = { source: 'transactional', first: true, userAgent: `${BROWSER} ${'x'.repeat(300)}`.slice(0, 200) };
    expect(await told(email)).toEqual([{ name: 'email.opened', data: first, testMode: false }]);
    await passMinute();
    await get(pixel(email)).expect(200);
    await get(pixel(email)).expect(200);
    const again = { source: 'transactional', first: false, userAgent: BROWSER };
    expect((await told(email)).slice(1)).toEqual([{ name: 'email.opened', data: again, testMode: false }]);
    expect((await now(email)).opens).toBe(4);
  });

  test('is answered for a message that is gone', async () => {
    await get(pixel({ _id: newId('em') })).expect(200);
    expect(await HitMarkModel.countDocuments({ _id: 'none' })).toBe(0);
  });

  test.each(['bounced', 'complained', 'failed', 'cancelled', 'clicked'] as const)('leaves the status %s', async (status) => {
    const email = await delivered({ status });
    await get(pixel(email)).expect(200);
    expect(await now(email)).toMatchObject({ status, opens: 1 });
  });

  test('counts for a test message too, and says that it is one', async () => {
    const email = await delivered({ status: 'sent', testMode: true, deliveredAt: null });
    await get(pixel(email)).expect(200);
    expect(await now(email)).toMatchObject({ status: 'opened', opens: 1, deliveredAt: null });
    expect(await told(email)).toMatchObject([{ name: 'email.opened', testMode: true, data: { first: true, testMode: true } }]);
  });

  test('does not come between a message and the record of its delivery; the status follows then', async () => {
    const email = await delivered({ status: 'sending', sentAt: null, deliveredAt: null });
    await get(pixel(email)).expect(200);
    expect(await now(email)).toMatchObject({ status: 'sending', opens: 1 });
    await EmailModel.updateOne({ _id: email._id }, { $set: { status: 'delivered' } });
    expect(await eventually('the status follows', async () => (await now(email)).status === 'opened', 10_000)).toBe(true);
    expect(await now(email)).toMatchObject({ opens: 1 });
  });
});

describe('a link', () => {
  test('leads on to where its author pointed, and nobody keeps it', async () => {
    const { status, headers, text } = await get(link(await delivered()));
    expect([status, headers.location, text]).toEqual([302, LINK, '']);
    expect(headers).toMatchObject({ 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
  });

  test.each([
    ['https://example.com', 'https://example.com'],
    ['HTTP://Example.com/%7Ea?x=%zz', 'HTTP://Example.com/%7Ea?x=%zz'],
    ['https://bücher.example/ä?q=ü b', 'https://xn--bcher-kva.example/%C3%A4?q=%C3%BC%20b'],
    [`https://example.com/?q=${'x'.repeat(2_000)}`, `https://example.com/?q=${'x'.repeat(2_000)}`],
  ])('to %s', async (url, location) => {
    const { status, headers } = await get(link(await delivered(), url));
    expect([status, headers.location]).toEqual([302, location]);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.com',
    '/relative',
    'mailto:a@example.com',
    'ftp://example.com/',
    'https://',
  ])('leads nowhere outside the web, signed or not: %s', async (url) => {
    const email = await delivered();
    const { status, headers } = await get(link(email, url));
    expect([status, headers.location]).toEqual([404, undefined]);
    expect(await now(email)).toMatchObject({ clicks: 0 });
  });

  test('breaks out of no header', async () => {
    const { status, headers } = await get(link(await delivered(), 'https://example.com/\r\nSet-Cookie: a=b'));
    expect([status, headers.location, headers['set-cookie']]).toEqual([302, 'https://example.com/Set-Cookie:%20a=b', undefined]);
  });

  test('is an open as well when no open came before', async () => {
    const email = await delivered({ status: 'sent' });
    await get(link(email)).expect(302);
    const clicked = await now(email);
    expect(clicked).toMatchObject({ status: 'clicked', opens: 1, clicks: 1 });
    expect(clicked.openedAt).toEqual(clicked.clickedAt);
    const data = { source: 'transactional', first: true, userAgent: BROWSER };
    const events = await told(email);
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        { name: 'email.opened', data, testMode: false },
        { name: 'email.clicked', data: { ...data, url: LINK }, testMode: false },
      ]),
    );
    await get(pixel(email)).expect(200);
    expect(await told(email)).toHaveLength(2);
    expect(await now(email)).toMatchObject({ status: 'clicked', opens: 2, clicks: 1 });
  });

  test('is told of once a minute, each link for itself; only the first click is the first', async () => {
    const email = await delivered({ status: 'opened', openedAt: new Date(), opens: 1 });
    const other = 'https://example.com/other';
    for (const url of [LINK, LINK, other, other]) await get(link(email, url)).expect(302);
    const clicks = (await told(email)).map(({ name, data }) => [name, data.url, data.first]);
    expect(clicks).toEqual([
      ['email.clicked', LINK, true],
      ['email.clicked', other, false],
    ]);
    await passMinute();
    await get(link(email)).expect(302);
    expect(await told(email)).toHaveLength(3);
    expect(await now(email)).toMatchObject({ status: 'clicked', opens: 1, clicks: 5 });
  });

  test('leads on when its message is gone', async () => {
    await get(link({ _id: newId('em') })).expect(302);
    expect(await HitMarkModel.countDocuments({ _id: 'none' })).toBe(0);
  });
});

describe('a machine', () => {
  test.each([
    ['HEAD', 'head' as const, {}],
    ['Purpose', 'get' as const, { Purpose: 'prefetch' }],
    ['Sec-Purpose', 'get' as const, { 'Sec-Purpose': 'prefetch;anonymous-client-ip' }],
    ['X-Moz', 'get' as const, { 'X-Moz': 'prefetch' }],
    ['no user agent', 'get' as const, { 'User-Agent': '' }],
    ['a bare user agent', 'get' as const, { 'User-Agent': 'Mozilla/5.0' }],
  ])('is told by %s: an event and nothing else', async (_what, method, headers) => {
    const email = await delivered();
    expect((await call(method, pixel(email), headers)).status).toBe(200);
    expect((await call(method, link(email), headers)).headers.location).toBe(LINK);
    expect(await now(email)).toEqual(email);
    expect(await told(email)).toMatchObject([
      { name: 'email.opened', data: { machine: true, first: false } },
      { name: 'email.clicked', data: { machine: true, first: false, url: LINK } },
    ]);
  });

  test('that says it is a robot clicks in vain, and does not spoil the first click of a person', async () => {
    const email = await delivered();
    const robot = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
    await get(link(email), robot).expect(302);
    await get(link(email), robot).expect(302);
    expect(await told(email)).toMatchObject([{ name: 'email.clicked', data: { machine: true, machineReason: 'bot', first: false } }]);
    await get(link(email)).expect(302);
    expect(await now(email)).toMatchObject({ status: 'clicked', clicks: 1, opens: 1 });
    expect((await told(email)).filter(({ data }) => data.first).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['email.opened', 'email.clicked']),
    );
  });

  test('opens for a person when it is an image proxy', async () => {
    const email = await delivered();
    await get(pixel(email), { 'User-Agent': 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)' });
    expect(await now(email)).toMatchObject({ status: 'opened', opens: 1 });
  });
});

describe('many at once', () => {
  test('are all counted, and the first is one', async () => {
    const email = await delivered();
    const paths = Array.from({ length: 200 }, (_value, index) => (index % 2 === 0 ? pixel(email) : link(email)));
    const answers = await Promise.all(paths.map((path) => get(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 302]));
    await eventually('all are counted', async () => {
      const { opens, clicks } = await now(email);
      return opens + clicks >= 200;
    });
    const { opens, clicks, status } = await now(email);
    expect(status).toBe('clicked');
    expect(clicks).toBe(100);
    expect([100, 101]).toContain(opens);
    const events = await told(email);
    expect(events.map(({ name, data }) => `${name} ${String(data.first)}`).sort()).toEqual(['email.clicked true', 'email.opened true']);
  });
});

test('no look-up reads a whole collection', async () => {
  const email = await delivered();
  const plans = [
    ...(await queryPlans('emails', () => get(pixel(email)))),
    ...(await queryPlans('hit_marks', () => get(link(email)))),
    ...(await queryPlans('emails', () => call('head', pixel(email)))),
  ];
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
});

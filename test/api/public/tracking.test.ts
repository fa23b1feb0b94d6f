import type { Test } from 'supertest';
import { settle } from '../../../src/records/emails/attempts';
import type { Email } from '../../../src/records/emails/model';
import { newId } from '../../../src/platform/core/ids';
import { aProject } from '../../support/platform/app';
import { queryPlans } from '../../support/checks/query-plans';
import { BROWSER, LINK, stateOf, emitted } from './visits';
import * as visits from './visits';
import { stored } from '../../support/data/stored';

const app = aProject();

const delivered = (change: Partial<Email> = {}): Promise<Email> => visits.delivered(app, change);
const pixel = (email: Pick<Email, '_id'>): string => visits.pixel(app, email);
const link = (email: Pick<Email, '_id'>, url?: string): string => visits.link(app, email, url);
const get = (path: string, headers?: Record<string, string>): Test => visits.visit(app, 'get', path, headers);

/** As if the minute since the last event were over. */
async function passMinute(): Promise<void> {
  await visits.recorded();
  await stored.hitTrails.remove();
}

describe('the open pixel', () => {
  test('is a GIF of 43 bytes that caches do not keep', async () => {
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

  test('counts every open, moves the status once and emits once a minute', async () => {
    const email = await delivered();
    await get(pixel(email), { 'User-Agent': `${BROWSER} ${'x'.repeat(300)}` }).expect(200);
    const opened = await stateOf(email);
    expect(opened).toMatchObject({ status: 'opened', opens: 1, clicks: 0, clickedAt: null });
    expect(opened.openedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await get(pixel(email)).expect(200);
    expect(await stateOf(email)).toEqual({ ...opened, opens: 2 });
    const first = { source: 'transactional', first: true, userAgent: `${BROWSER} ${'x'.repeat(300)}`.slice(0, 200), openedBy: 'person' };
    expect(await emitted(email)).toEqual([{ name: 'email.opened', data: first, testMode: false }]);
    await passMinute();
    await get(pixel(email)).expect(200);
    await get(pixel(email)).expect(200);
    const again = { source: 'transactional', first: false, userAgent: BROWSER, openedBy: 'person' };
    expect((await emitted(email)).slice(1)).toEqual([{ name: 'email.opened', data: again, testMode: false }]);
    expect((await stateOf(email)).opens).toBe(4);
  });

  test('is answered for a message that is gone', async () => {
    const gone = { _id: newId('em') };
    await get(pixel(gone)).expect(200);
    expect(await emitted(gone)).toEqual([]);
  });

  test.each(['bounced', 'complained', 'failed', 'cancelled', 'clicked'] as const)('leaves the status %s', async (status) => {
    const email = await delivered({ status });
    await get(pixel(email)).expect(200);
    expect(await stateOf(email)).toMatchObject({ status, opens: 1 });
  });

  test('counts for a test message too, and says that it is one', async () => {
    const email = await delivered({ status: 'sent', testMode: true, deliveredAt: null });
    await get(pixel(email)).expect(200);
    expect(await stateOf(email)).toMatchObject({ status: 'opened', opens: 1, deliveredAt: null });
    expect(await emitted(email)).toMatchObject([{ name: 'email.opened', testMode: true, data: { first: true, testMode: true } }]);
  });

  test('does not come between a message and the record of its delivery, which raises the status', async () => {
    const attempt = { id: newId('att'), worker: 'one', at: new Date() };
    const email = await delivered({ status: 'sending', sentAt: null, deliveredAt: null, attempt });
    await get(pixel(email)).expect(200);
    expect(await stateOf(email)).toMatchObject({ status: 'sending', opens: 1 });
    const at = new Date();
    const set = { status: 'delivered', sentAt: at, deliveredAt: at } as const;
    await settle([{ email, set, events: [], suppresses: 'never', accepted: true }]);
    expect(await stateOf(email)).toMatchObject({ status: 'opened', opens: 1, sentAt: at, deliveredAt: at });
  });
});

describe('a link', () => {
  test('leads on to where its author pointed, and caches do not keep it', async () => {
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
    expect(await stateOf(email)).toMatchObject({ clicks: 0 });
  });

  test('breaks out of no header', async () => {
    const { status, headers } = await get(link(await delivered(), 'https://example.com/\r\nSet-Cookie: a=b'));
    expect([status, headers.location, headers['set-cookie']]).toEqual([302, 'https://example.com/Set-Cookie:%20a=b', undefined]);
  });

  test('is an open as well when no open came before', async () => {
    const email = await delivered({ status: 'sent' });
    await get(link(email)).expect(302);
    const clicked = await stateOf(email);
    expect(clicked).toMatchObject({ status: 'clicked', opens: 1, clicks: 1 });
    expect(clicked.openedAt).toEqual(clicked.clickedAt);
    const data = { source: 'transactional', first: true, userAgent: BROWSER };
    const events = await emitted(email);
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        { name: 'email.opened', data: { ...data, openedBy: 'person' }, testMode: false },
        { name: 'email.clicked', data: { ...data, clickedBy: 'person', url: LINK }, testMode: false },
      ]),
    );
    await get(pixel(email)).expect(200);
    expect(await emitted(email)).toHaveLength(2);
    expect(await stateOf(email)).toMatchObject({ status: 'clicked', opens: 2, clicks: 1 });
  });

  test('is emitted once a minute, each link for itself; only the first click is the first', async () => {
    const email = await delivered({ status: 'opened', openedAt: new Date(), opens: 1 });
    const other = 'https://example.com/other';
    for (const url of [LINK, LINK, other, other]) await get(link(email, url)).expect(302);
    const clicks = (await emitted(email)).map(({ name, data }) => [name, data.url, data.first]);
    expect(clicks).toEqual([
      ['email.clicked', LINK, true],
      ['email.clicked', other, false],
    ]);
    await passMinute();
    await get(link(email)).expect(302);
    expect(await emitted(email)).toHaveLength(3);
    expect(await stateOf(email)).toMatchObject({ status: 'clicked', opens: 1, clicks: 5 });
  });

  test('leads on when its message is gone', async () => {
    const gone = { _id: newId('em') };
    await get(link(gone)).expect(302);
    expect(await emitted(gone)).toEqual([]);
  });
});

test('no look-up reads a whole collection', async () => {
  const email = await delivered();
  const plans = [
    ...(await queryPlans('emails', () => get(pixel(email)))),
    ...(await queryPlans('hit_trails', () => get(link(email)))),
    ...(await queryPlans('emails', () => visits.visit(app, 'head', pixel(email)))),
  ];
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
});

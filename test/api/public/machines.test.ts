import type { Test } from 'supertest';
import type { Email } from '../../../src/records/emails/model';
import { HitRecorder } from '../../../src/sending/tracking/record';
import { aProject } from '../../support/platform/app';
import { eventually } from '../../support/platform/platform';
import { campaignCalls } from '../../support/calls/campaigns';
import { stored } from '../../support/data/stored';
import { BROWSER, LINK, stateOf, emitted } from './visits';
import * as visits from './visits';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const delivered = (change: Partial<Email> = {}): Promise<Email> => visits.delivered(app, change);
const pixel = (email: Pick<Email, '_id'>): string => visits.pixel(app, email);
const link = (email: Pick<Email, '_id'>, url?: string): string => visits.link(app, email, url);
const get = (path: string, headers?: Record<string, string>): Test => visits.visit(app, 'get', path, headers);

describe('a machine', () => {
  test.each([
    ['HEAD', 'head' as const, {}],
    ['Purpose', 'get' as const, { Purpose: 'prefetch' }],
    ['Sec-Purpose', 'get' as const, { 'Sec-Purpose': 'prefetch;anonymous-client-ip' }],
    ['X-Moz', 'get' as const, { 'X-Moz': 'prefetch' }],
    ['no user agent', 'get' as const, { 'User-Agent': '' }],
    ['a bare user agent', 'get' as const, { 'User-Agent': 'Mozilla/5.0' }],
  ])('is recognised by %s: an event and nothing else', async (what, method, headers) => {
    const email = await delivered();
    expect((await visits.visit(app, method, pixel(email), headers)).status).toBe(200);
    expect((await visits.visit(app, method, link(email), headers)).headers.location).toBe(LINK);
    const { proxiedAt, scannedAt, ...rest } = await stateOf(email);
    expect(rest).toEqual(email);
    expect([proxiedAt !== undefined, scannedAt !== undefined]).toEqual([what === 'a bare user agent', true]);
    expect(await emitted(email)).toMatchObject([
      { name: 'email.opened', data: { machine: true, first: false } },
      { name: 'email.clicked', data: { machine: true, first: false, url: LINK } },
    ]);
  });

  test('that says it is a robot clicks in vain, and does not spoil the first click of a person', async () => {
    const email = await delivered();
    const robot = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
    await get(link(email), robot).expect(302);
    await get(link(email), robot).expect(302);
    expect(await emitted(email)).toMatchObject([{ name: 'email.clicked', data: { machine: true, machineReason: 'bot', first: false } }]);
    await get(link(email)).expect(302);
    expect(await stateOf(email)).toMatchObject({ status: 'clicked', clicks: 1, opens: 1 });
    expect((await emitted(email)).filter(({ data }) => data.first).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['email.opened', 'email.clicked']),
    );
  });

  test('opens for a person when it is an image proxy', async () => {
    const email = await delivered();
    await get(pixel(email), { 'User-Agent': 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)' });
    expect(await stateOf(email)).toMatchObject({ status: 'opened', opens: 1 });
    expect(await emitted(email)).toMatchObject([{ name: 'email.opened', data: { openedBy: 'proxy', proxy: 'google', first: true } }]);
  });
});

describe('in a campaign', () => {
  const { draft, get: campaignOf } = campaignCalls(() => app);
  const APPLE = { 'User-Agent': 'Mozilla/5.0' };
  const ROBOT = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };

  test('machines are never in the opens, are counted once for each message, and the true opens are estimated', async () => {
    const { campaignId } = await draft();
    const emails = await Promise.all(Array.from({ length: 10 }, () => delivered({ source: 'campaign', campaignId })));
    await stored.campaigns.collection.updateOne({ _id: campaignId }, { $set: { 'counters.delivered': 10 } });
    expect(await campaignOf(campaignId)).not.toHaveProperty('machines');
    for (const email of emails.slice(0, 4)) for (let again = 0; again < 2; again++) await get(pixel(email), APPLE);
    for (const email of emails.slice(3, 5)) await get(link(email), ROBOT);
    for (const email of [0, 4, 5, 6].map((at) => emails[at]!)) await get(pixel(email));
    await eventually('all are counted', async () => Number((await campaignOf(campaignId))['opened']) === 4);
    const expected = { proxied: 4, scanned: 2, estimate: { opened: 5, low: 4, high: 6, confidence: 0.95 } };
    expect(await campaignOf(campaignId)).toMatchObject({ opened: 4, clicked: 0, machines: expected });
    expect(await stored.campaigns.get(campaignId)).toMatchObject({ counters: { proxied: 4, proxiedOpened: 1, scanned: 2 } });
  });

  test('a person who opens before the proxy loads counts as both, once', async () => {
    const { campaignId } = await draft();
    const email = await delivered({ source: 'campaign', campaignId });
    for (const agent of [{}, APPLE, {}, APPLE]) await get(pixel(email), agent);
    expect(await stored.campaigns.get(campaignId)).toMatchObject({ counters: { opened: 1, proxied: 1, proxiedOpened: 1, scanned: 0 } });
  });
});

describe('many at once', () => {
  test('are all counted, and the first is one', async () => {
    const email = await delivered();
    const paths = Array.from({ length: 200 }, (_value, index) => (index % 2 === 0 ? pixel(email) : link(email)));
    const answers = await Promise.all(paths.map((path) => get(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 302]));
    await eventually('all are counted', async () => {
      const { opens, clicks } = await stateOf(email);
      return opens + clicks >= 200;
    });
    const { opens, clicks, status } = await stateOf(email);
    expect(status).toBe('clicked');
    expect(clicks).toBe(100);
    expect([100, 101]).toContain(opens);
    const events = await emitted(email);
    expect(events.map(({ name, data }) => `${name} ${String(data.first)}`).sort()).toEqual(['email.clicked true', 'email.opened true']);
  });
});

test('many at once through several processes are counted just as well', async () => {
  const email = await delivered();
  const recorders = Array.from({ length: 4 }, () => new HitRecorder(false));
  const hit = { emailId: email._id, userAgent: BROWSER, client: null, machine: null };
  await Promise.all(
    Array.from({ length: 100 }, async (_value, index) => {
      const recorder = recorders[index % 4] as HitRecorder;
      await recorder.record({ ...hit, kind: 'open', url: null, at: new Date() });
      await recorder.record({ ...hit, kind: 'click', url: LINK, at: new Date() });
      await recorder.record({ ...hit, kind: 'click', url: LINK, machine: 'bot', at: new Date() });
    }),
  );
  expect(await stateOf(email)).toMatchObject({ status: 'clicked', opens: 100, clicks: 100 });
  const events = await emitted(email);
  expect(events.map(({ name, data }) => [name, data.first, data.machine ?? false].join(' ')).sort()).toEqual([
    'email.clicked false true',
    'email.clicked true false',
    'email.opened true false',
  ]);
});

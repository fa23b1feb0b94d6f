import type { Test } from 'supertest';
import type { Email } from '../../../src/records/emails/model';
import { HitRecorder } from '../../../src/sending/tracking/recorder';
import { aProject } from '../../support/platform/app';
import { eventually } from '../../support/platform/platform';
import { BROWSER, LINK, stateOf, emitted } from './visits';
import * as visits from './visits';

const app = aProject();

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
  ])('is recognised by %s: an event and nothing else', async (_what, method, headers) => {
    const email = await delivered();
    expect((await visits.visit(app, method, pixel(email), headers)).status).toBe(200);
    expect((await visits.visit(app, method, link(email), headers)).headers.location).toBe(LINK);
    expect(await stateOf(email)).toEqual(email);
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
  const recorders = Array.from({ length: 4 }, () => new HitRecorder());
  const hit = { emailId: email._id, userAgent: BROWSER, machine: null };
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

import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { DAILY, feedCalls, nine } from '../../../support/calls/feeds';
import { FORMATS, entries } from '../../../support/data/feeds';
import { aProject } from '../../../support/platform/app';
import { aFreshReceiver } from '../../../support/servers/webhooks';

const app = aProject({
  config: {
    DEV_VERIFIED_DOMAINS: 'hello.test',
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_TIMEOUT_SECONDS: '1',
  },
});
const server = aFreshReceiver();
const { api, draft, get } = campaignCalls(() => app);
const { look, series, serves, turnOf, turns } = feedCalls(() => app, server);

const MINUTE_MS = 60_000;

describe('a feed that is down', () => {
  const down = (): void => {
    server.answer = (res) => void res.writeHead(503).end();
  };
  /** Looks whenever the series says. Resolves to the minutes at which the feed was asked. */
  async function untilSettled(id: string, from: number): Promise<number[]> {
    const minutes: number[] = [];
    for (let now = from; ;) {
      const before = server.received.length;
      const outlook = await look(id, now);
      if (server.received.length > before) minutes.push((now - from) / MINUTE_MS);
      if (outlook.waitsFor !== 'feed') return minutes;
      now = Date.parse(String(outlook.until));
    }
  }

  test('is tried for an hour; then the turn is skipped, and an event says so', async () => {
    down();
    const id = await series();
    await look(id, nine(1));
    expect(await get(id)).toMatchObject({ status: 'sending', heldReason: 'feed_failed' });
    expect([0, ...(await untilSettled(id, nine(1)))]).toEqual([0, 1, 3, 7, 15, 30, 45, 60]);
    expect(await turns(id)).toMatchObject([{ status: 'skipped', skipReason: 'feed_failed', skipDetail: 'The server answered 503' }]);
    expect(await get(id)).toMatchObject({ status: 'sending', heldReason: null, turns: 1 });
    const { data } = (await api().get('/v1/events?name=email.feed_failed').expect(200)).body as { data: { data: object }[] };
    expect(data.filter((event) => (event.data as { campaignId: string }).campaignId === id)).toMatchObject([
      { data: { turn: 1, scheduledFor: new Date(nine(1)).toISOString(), error: 'The server answered 503' } },
    ]);
    serves(FORMATS.rss(entries(1)));
    expect(await turnOf(id, 2)).toBe('post-1');
  });

  test('puts the series on hold, which is one event for all attempts', async () => {
    down();
    const id = await series();
    await look(id, nine(1));
    await look(id, nine(1) + MINUTE_MS);
    const { data } = (await api().get('/v1/events?name=email.campaign_held').expect(200)).body as { data: { data: object }[] };
    expect(data.filter((event) => (event.data as { campaignId: string }).campaignId === id)).toMatchObject([
      { data: { reason: 'feed_failed' } },
    ]);
  });

  test('is read once it answers again, and the turn is that of its instant', async () => {
    down();
    const id = await series();
    await look(id, nine(1));
    const { until } = await look(id, nine(1) + MINUTE_MS);
    serves(FORMATS.rss(entries(1)));
    await look(id, Date.parse(String(until)));
    expect(await turns(id)).toMatchObject([{ number: 1, at: new Date(nine(1)).toISOString(), items: [{ guid: 'post-1' }] }]);
  });

  test('holds up no later turn: what is due when the hour is over has its own', async () => {
    down();
    const id = await series({}, { schedule: { rrule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0,30', timezone: 'UTC' } });
    await untilSettled(id, nine(1));
    expect((await turns(id)).map(({ skipReason }) => skipReason)).toEqual(['feed_failed', 'feed_failed']);
  });

  test.each([
    ['a document that is no feed', '<html><body>Hello</body></html>', 'neither RSS nor Atom'],
    ['text', 'Hello', 'not a feed'],
    ['other JSON', '{"items": []}', 'not a JSON Feed'],
    [
      'a bomb of entities',
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><rss><channel><item><guid>1</guid><title>&c;</title></item></channel></rss>',
      'declares entities',
    ],
    ['an outside entity', '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel/></rss>', 'declares entities'],
    ['nesting', `<rss>${'<a>'.repeat(200)}`, 'nested too deeply'],
    ['many elements', `<rss>${'<a/>'.repeat(100_001)}</rss>`, 'too many elements'],
    ['more than 2 MB', `<rss>${' '.repeat(2 * 1_048_576)}</rss>`, 'larger than 2 MB'],
  ])('%s is refused', async (_name, text, error) => {
    serves(text);
    const id = await series();
    expect((await api().get(`/v1/campaigns/${id}/feed`).expect(200)).body.data).toMatchObject({
      items: [],
      error: expect.stringContaining(error),
    });
    expect(await look(id, nine(1))).toMatchObject({ waitsFor: 'feed' });
  });

  test('a server that does not answer in time', async () => {
    server.answer = () => undefined;
    const id = await series();
    expect((await api().get(`/v1/campaigns/${id}/feed`).expect(200)).body.data).toMatchObject({ error: 'No answer within 1 s' });
  });
});

describe('faults', () => {
  const feed = { url: 'https://blog.example.com/feed' };
  test.each([
    [{ feed }, 'feed', 'invalid_combination'],
    [{ feed, schedule: DAILY, evergreen: true }, 'feed', 'invalid_combination'],
    [{ feed: { ...feed, minItems: 5, maxItems: 2 }, schedule: DAILY }, 'feed.minItems', 'invalid_combination'],
    [{ feed: { url: 'ftp://example.com' }, schedule: DAILY }, 'feed.url', 'invalid_string'],
    [{ feed: { url: 'https://me:secret@example.com' }, schedule: DAILY }, 'feed.url', 'blocked_url'],
    [{ feed: { ...feed, maxItems: 21 }, schedule: DAILY }, 'feed.maxItems', 'too_big'],
    [{ feed: { ...feed, minItems: 0 }, schedule: DAILY }, 'feed.minItems', 'too_small'],
    [{ feed: { ...feed, sort: 'random' }, schedule: DAILY }, 'feed.sort', 'invalid_enum_value'],
    [{ feed: {}, schedule: DAILY }, 'feed.url', 'invalid_type'],
  ])('%j', async (more, path, code) => {
    const content = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', fromEmail: 'team@hello.test' };
    const { body } = await api()
      .post('/v1/campaigns')
      .send({ ...content, ...more })
      .expect(422);
    expect(faultsOf(body)).toEqual([[path, code]]);
  });

  test('a draft does not lose the schedule that its feed needs', async () => {
    const { campaignId } = await draft({ feed, schedule: DAILY });
    const { body } = await api().patch(`/v1/campaigns/${campaignId}`).send({ schedule: null }).expect(422);
    expect(faultsOf(body)).toEqual([['feed', 'invalid_combination']]);
    await api().patch(`/v1/campaigns/${campaignId}`).send({ schedule: null, feed: null }).expect(200);
  });
});

import type { ServerResponse } from 'node:http';
import { campaignCalls } from '../../../support/calls/campaigns';
import { DAILY, feedCalls, nine } from '../../../support/calls/feeds';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { FORMATS, entries } from '../../../support/data/feeds';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { aFreshReceiver } from '../../../support/servers/webhooks';

const smtp = aMailServer();
const app = aProject(() => ({
  config: {
    DEV_VERIFIED_DOMAINS: 'hello.test',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_TIMEOUT_SECONDS: '1',
  },
}));
const server = aFreshReceiver();
const host = aDeliveryHost(app);
const { act, api, contact, draft, finish, freeze } = campaignCalls(() => app);
const { page } = campaignPages(
  () => app,
  () => host,
);

const { endTurn, look, series, serves, turnOf, turns } = feedCalls(() => app, server);

const named = (...numbers: readonly number[]): string => numbers.map((number) => `post-${number}`).join(' ');

beforeEach(async () => {
  await stored.contacts.remove();
});

describe.each(['rss', 'atom', 'json'] as const)('%s', (format) => {
  test('a turn sends what is new, with all that templates read', async () => {
    serves(FORMATS[format](entries(1, 2)));
    const to = freshAddress();
    await contact(to, { firstName: 'Grace' });
    const id = await series(
      {},
      {
        subject: '{{feed.title}}: {{#each feed.items}}{{title}}, {{/each}}for {{firstName}}',
        previewText: '{{feed.items.0.summary}}',
        body: '{{#each feed.items}}<p>{{guid}} {{author}} {{image}} {{publishedAt}} {{@root.firstName}}</p><a href="{{url}}">Read</a>{{{html}}}{{/each}}',
      },
    );
    await look(id, nine(1));
    const [turn] = await turns(id);
    expect(turn).toMatchObject({
      items: [
        { guid: 'post-2', title: 'Post 2', url: 'https://blog.example.com/post-2' },
        { guid: 'post-1', title: 'Post 1', url: 'https://blog.example.com/post-1' },
      ],
    });
    const childId = String(turn?.campaignId);
    await freeze(childId);
    await page(childId);
    const [message] = (await api().get(`/v1/emails?campaignId=${childId}`).expect(200)).body.data as { emailId: string; subject: string }[];
    expect(message?.subject).toBe('The blog: Post 2, Post 1, for Grace');
    const { body: html } = (await api().get(`/v1/emails/${message?.emailId}`).expect(200)).body.data as { body: string };
    expect(html).toContain('<p>post-2 Ada ');
    expect(html).toContain('/pictures/post-2.png 2026-01-02T00:00:00.000Z Grace</p>');
    expect(html).toContain('<p>Post 1</p>');
    expect(html).toContain('About Post 2');
    // What all messages share is stored once.
    expect((await stored.emails.one({ campaignId: childId }))?.values).not.toContain('Post 1');
    await finish(childId);
    serves(FORMATS[format](entries(1, 2, 3)));
    expect(await turnOf(id, 2)).toBe(named(3));
    expect(await turnOf(id, 3)).toBe('nothing_new');
  });
});

test('what is beyond the most stays for later turns, and an entry that comes back is not sent again', async () => {
  serves(FORMATS.rss(entries(1, 2, 3, 4, 5)));
  const id = await series({ maxItems: 2 });
  expect(await turnOf(id, 1)).toBe(named(5, 4));
  serves(FORMATS.rss(entries(1, 2, 3)));
  expect(await turnOf(id, 2)).toBe(named(3, 2));
  serves(FORMATS.rss(entries(1, 4, 5, 6)));
  expect(await turnOf(id, 3)).toBe(named(6, 1));
  serves(FORMATS.rss(entries(2, 3, 4, 5, 6)));
  expect(await turnOf(id, 4)).toBe('nothing_new');
});

test('the oldest come first where that is asked for, and fewer than the least wait', async () => {
  serves(FORMATS.atom(entries(1, 2)));
  const id = await series({ minItems: 3, maxItems: 3, sort: 'oldest' });
  expect(await turnOf(id, 1)).toBe('too_few_items');
  serves(FORMATS.atom(entries(1, 2, 3, 4)));
  expect(await turnOf(id, 2)).toBe(named(1, 2, 3));
  expect(await turnOf(id, 3)).toBe('too_few_items');
});

test('a feed that has not changed is not read again, but one with entries that were not sent is', async () => {
  const asked: (string | undefined)[] = [];
  let text = FORMATS.rss(entries(1, 2));
  server.answer = (res: ServerResponse, { headers }) => {
    const tag = `"${text.length}"`;
    asked.push(headers['if-none-match']);
    res.writeHead(headers['if-none-match'] === tag ? 304 : 200, { etag: tag, 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' });
    res.end(headers['if-none-match'] === tag ? undefined : text);
  };
  const id = await series({ maxItems: 1 });
  expect(await turnOf(id, 1)).toBe(named(2));
  expect(await turnOf(id, 2)).toBe(named(1));
  expect(await turnOf(id, 3)).toBe('nothing_new');
  const first = `"${text.length}"`;
  text = FORMATS.rss(entries(1, 2, 3));
  expect(await turnOf(id, 4)).toBe(named(3));
  expect(asked).toEqual([undefined, undefined, first, first]);
  expect(server.received.at(-1)?.headers['if-modified-since']).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
  await api()
    .patch(`/v1/campaigns/${id}`)
    .send({ feed: { url: `${server.url}/other` } })
    .expect(200);
  expect(await turnOf(id, 5)).toBe('nothing_new');
  expect(asked.at(-1)).toBeUndefined();
});

test('however many look at once, an instant has one turn and an entry is in one', async () => {
  serves(FORMATS.json(entries(1, 2, 3)));
  const id = await series({ maxItems: 2 });
  await Promise.all(Array.from({ length: 5 }, () => look(id, nine(1))));
  expect((await turns(id)).map(({ items = [] }) => items.map(({ guid }) => guid))).toEqual([['post-3', 'post-2']]);
  await endTurn(String((await turns(id))[0]?.campaignId));
  expect(await turnOf(id, 2)).toBe(named(1));
});

test('a look that may not take the time leaves the feed to one that may', async () => {
  serves(FORMATS.rss(entries(1)));
  const id = await series();
  expect(await look(id, nine(1), false)).toMatchObject({ waitsFor: 'feed', until: null });
  expect(server.received).toEqual([]);
  expect(await look(id, nine(1))).toMatchObject({ waitsFor: 'turn', turns: 1 });
});

test('a turn that is refused keeps its entries for the next one', async () => {
  serves(FORMATS.rss(entries(1)), { etag: '"same"' });
  const id = await series();
  await stored.campaigns.change(id, { $set: { fromEmail: 'team@unverified.test' } });
  expect(await turnOf(id, 1)).toBe('unverified_domain');
  await stored.campaigns.change(id, { $set: { fromEmail: 'team@hello.test' } });
  expect(await turnOf(id, 2)).toBe(named(1));
});

test('redirects are followed, but not to a place that may not be called, nor without end', async () => {
  server.answer = (res, { path }) => {
    if (path === '/feed') res.writeHead(200).end(FORMATS.rss(entries(1)));
    else res.writeHead(302, { location: path === '/loop' ? '/loop' : path === '/out' ? 'ftp://example.com/feed' : '/feed' }).end();
  };
  const outlook = async (path: string) => {
    const { campaignId } = await draft({ schedule: DAILY, feed: { url: server.url + path } });
    return (await api().get(`/v1/campaigns/${campaignId}/feed`).expect(200)).body.data as object;
  };
  // Pictures with a relative address are where the feed was found.
  expect(await outlook('/moved')).toMatchObject({
    error: null,
    items: [{ guid: 'post-1', image: 'https://blog.example.com/pictures/post-1.png' }],
  });
  expect(await outlook('/loop')).toMatchObject({ error: 'More than 5 redirects' });
  expect(await outlook('/out')).toMatchObject({ error: 'The URL must begin with https://' });
});

test('what an entry says is cleaned, and is never read as a template', async () => {
  const content = [
    '<p onclick="go()" style="position:fixed" class="x">Fine <b>text</b> {{firstName}}</p><script>alert(1)</script>',
    '<a href="javascript:alert(1)">no</a><a href="/about">about</a><img src="data:image/png;base64,AA=="><img src="/a.png" onerror="go()">',
    '<iframe src="https://example.com">inside</iframe><form action="/x"><input name="y"></form><svg onload="go()"><title>x</title></svg>',
  ].join('');
  serves(FORMATS.rss([{ id: 'post-1', title: '<i>A</i> &amp; {{email}} <script>b</script>', at: '2026-01-01T00:00:00Z', content }]));
  const to = freshAddress();
  await contact(to, { firstName: 'Grace' });
  const id = await series({}, { subject: '{{feed.items.0.title}}' });
  await look(id, nine(1));
  const childId = String((await turns(id))[0]?.campaignId);
  await freeze(childId);
  await page(childId);
  const [message] = (await api().get(`/v1/emails?campaignId=${childId}`).expect(200)).body.data as { emailId: string; subject: string }[];
  expect(message?.subject).toBe('A & {{email}}');
  const { items } = (await stored.campaigns.get(childId)).feedContent ?? { items: [] };
  expect(items[0]?.html).toBe(
    '<p>Fine <b>text</b> {{firstName}}</p><a>no</a><a href="https://blog.example.com/about">about</a><img src="https://blog.example.com/a.png" />',
  );
});

test('entries without an id go by their URL, those without both are left out, and each counts once', async () => {
  serves(`<rss version="2.0"><channel>
    <item><link>https://blog.example.com/a</link><title>A</title></item>
    <item><guid>https://blog.example.com/b</guid><title>B</title></item>
    <item><title>Nameless</title></item>
    <item><link>https://blog.example.com/a</link><title>A again</title></item>
  </channel></rss>`);
  const id = await series();
  expect(await turnOf(id, 1)).toBe('https://blog.example.com/a https://blog.example.com/b');
  expect((await turns(id))[0]?.items?.map(({ url }) => url)).toEqual(['https://blog.example.com/a', 'https://blog.example.com/b']);
});

test('what the next turn would send can be looked at, and a test has what the feed lists', async () => {
  serves(FORMATS.rss(entries(1, 2, 3)));
  const id = await series({ maxItems: 2 });
  const outlook = async () => (await api().get(`/v1/campaigns/${id}/feed`).expect(200)).body.data as object;
  expect(await outlook()).toMatchObject({ title: 'The blog', items: [{ guid: 'post-3' }, { guid: 'post-2' }], skipReason: null, left: 1 });
  await turnOf(id, 1);
  await turnOf(id, 2);
  expect(await outlook()).toMatchObject({ items: [], skipReason: 'nothing_new', left: 0 });
  const { body: sent } = await act(id, 'test-send', { to: 'me@hello.test' }).expect(200);
  const { body: html } = (await api().get(`/v1/emails/${sent.data.id}`).expect(200)).body.data as { body: string };
  expect(html).toContain('>Post 3</a>');
  server.answer = (res) => void res.writeHead(500).end();
  await act(id, 'test-send', { to: 'me@hello.test' }).expect(409);
  const { campaignId } = await draft();
  await api().get(`/v1/campaigns/${campaignId}/feed`).expect(409);
});

test('a copy of a turn has its entries, and the feed of a series can be changed for later turns', async () => {
  serves(FORMATS.rss(entries(1)));
  const id = await series();
  await turnOf(id, 1);
  const childId = String((await turns(id))[0]?.campaignId);
  const copy = (await act(childId, 'duplicate').expect(201)).body.data as { campaignId: string; feed?: object };
  expect(copy.feed).toBeUndefined();
  const { body } = await act(copy.campaignId, 'test-send', { to: 'me@hello.test' }).expect(200);
  expect((await api().get(`/v1/emails/${body.data.id}`).expect(200)).body.data.body).toContain('>Post 1</a>');
  const changed = await api()
    .patch(`/v1/campaigns/${id}`)
    .send({ feed: { url: server.url, maxItems: 3 } })
    .expect(200);
  expect(changed.body.data.feed).toEqual({ url: server.url, minItems: 1, maxItems: 3, sort: 'newest' });
});

import request from 'supertest';
import type { Test } from 'supertest';
import type { Email } from '../../../src/records/emails/model';
import type { InlineContent } from '../../../src/records/emails/parts';
import { clickUrl } from '../../../src/records/emails/click-links';
import { openPixelUrl } from '../../../src/records/emails/urls';
import { newId } from '../../../src/platform/core/ids';
import { aProject } from '../../support/platform/app';
import { timeLimits } from '../../support/checks/query-plans';
import { storeEmail } from '../../support/data/email-rows';
import { publicUrls } from '../../support/calls/public-urls';
import { stored } from '../../support/data/stored';
import { recorded } from './visits';

const lines: string[] = [];

const app = aProject({ log: (line) => lines.push(line) });

const content = (given: Partial<InlineContent>): InlineContent => ({
  subject: 'Hello',
  html: null,
  text: null,
  previewText: null,
  ...given,
});

const delivered = (change: Partial<Email>): Promise<Email> => storeEmail(app.keys.projectId, { status: 'delivered', ...change });

const pathOf = (url: string): string => url.slice(app.core.config.PUBLIC_URL.length);
const links = ({ _id }: Pick<Email, '_id'>) => {
  const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(app.core, _id);
  return { unsubscribe: pathOf(unsubscribeUrl), view: pathOf(viewInBrowserUrl) };
};
const web = (method: 'get' | 'head' | 'post' | 'put' | 'delete' | 'options', path: string): Test =>
  request(app.url)[method](path).redirects(0).set('Accept', 'text/html,*/*;q=0.8');

describe('a message in the browser', () => {
  test('is what was sent: the author’s own links, no pixel, and the way out', async () => {
    const html =
      '<html><body><p>Dear {{firstName}}</p><a href="https://example.com/a?b=1&amp;c=2">Go</a><script>alert(1)</script></body></html>';
    const email = await delivered({ type: 'marketing', inline: content({ html }), values: '{"firstName":"<Ada>"}' });
    const { text, headers } = await web('get', links(email).view).expect(200);
    expect(text).toContain('<p>Dear &lt;Ada&gt;</p><a href="https://example.com/a?b=1&amp;c=2">Go</a>');
    expect(text).toContain(publicUrls(app.core, email._id).unsubscribeUrl);
    expect(text).not.toContain('/t/');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers).toMatchObject({ 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
  });

  test('is read within the time of a request', async () => {
    const email = await delivered({ type: 'marketing', inline: content({ html: '<p>Hello</p>' }) });
    const limits = await timeLimits('emails', () => web('get', links(email).view).expect(200));
    expect(limits.length).toBeGreaterThan(0);
    for (const limit of limits) expect(limit).toBeLessThanOrEqual(30_000);
  });

  test('runs no script and sends no form', async () => {
    const { headers } = await web('get', links(await delivered({})).view).expect(200);
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((part) => [part.split(' ')[0], part.split(' ').slice(1)]),
    );
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.has('script-src')).toBe(false);
    expect(policy.get('img-src')).toEqual(['*', 'data:']);
    expect(policy.get('form-action')).toEqual(["'none'"]);
    expect(policy.get('sandbox')).toEqual(['allow-popups', 'allow-popups-to-escape-sandbox']);
  });

  test('may be text alone', async () => {
    const email = await delivered({ type: 'transactional', inline: content({ text: 'Hi {{firstName}} <3\nSecond line' }) });
    const { text } = await web('get', links(email).view).expect(200);
    expect(text).toContain('<pre>Hi Ada &lt;3\nSecond line</pre>');
  });

  test.each([
    { testMode: true, status: 'sent' as const },
    { status: 'queued' as const, scheduledFor: new Date(Date.now() + 86_400_000) },
    { status: 'cancelled' as const },
    { status: 'bounced' as const },
  ])('can be seen in any state: %j', async (change) => {
    const { text } = await web('get', links(await delivered(change)).view).expect(200);
    expect(text).toContain('<p>Hi Ada</p>');
  });

  test('counts as nothing, asked for by GET or HEAD', async () => {
    const email = await delivered({});
    await web('get', links(email).view).expect(200);
    const { text } = await web('head', links(email).view).expect(200);
    expect(text).toBeUndefined();
    expect(await stored.emails.one(email._id)).toEqual(email);
    expect(await stored.events.count({ emailId: email._id })).toBe(0);
  });

  test('is not there when it is gone', async () => {
    const { text, headers } = await web('get', links({ _id: newId('em') }).view).expect(404);
    expect(text).toContain('This link is not valid');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('is a page of ours when it cannot be rendered', async () => {
    const email = await delivered({ values: '{' });
    const { text } = await web('get', links(email).view).expect(500);
    expect(text).toContain('Something went wrong');
    expect(text).not.toContain('JSON');
  });
});

describe('a token', () => {
  const alterations = (token: string): string[] => [
    ...Array.from(token, (char, at) => `${token.slice(0, at)}${char === '0' ? '1' : '0'}${token.slice(at + 1)}`),
    ...Array.from(token, (char, at) => `${token.slice(0, at)}${char.toUpperCase()}${token.slice(at + 1)}`),
    ...Array.from(token, (_char, at) => token.slice(0, at) + token.slice(at + 1)),
    `${token}0`,
    `${token}%00`,
    `${token}%0a`,
    `${token}%`,
    `${token}%ff`,
    `${token}.`,
    `${token}/`,
    ` ${token}`,
  ];

  const last = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

  const purposes = ({ _id }: Email): Readonly<Record<string, readonly [prefix: string, token: string, suffix: string]>> => ({
    open: ['/t/o/', last(openPixelUrl(app.core, { _id })).replace('.gif', ''), '.gif'],
    click: ['/t/c/', last(clickUrl(app.core, { _id }, 'https://example.com/a')), ''],
    unsubscribe: ['/u/', last(links({ _id }).unsubscribe), ''],
    view: ['/v/', last(links({ _id }).view), ''],
  });

  test.each(['open', 'click', 'unsubscribe', 'view'])('altered in any character is not found: %s', async (purpose) => {
    const email = await delivered({ type: 'marketing' });
    const [prefix, token, suffix] = purposes(email)[purpose] ?? ['', '', ''];
    await web('get', prefix + token + suffix).expect((answer) => expect([200, 302]).toContain(answer.status));
    await recorded();
    await stored.events.remove({ emailId: email._id });
    for (const altered of new Set(alterations(token).filter((other) => other !== token))) {
      for (const method of purpose === 'unsubscribe' ? (['get', 'post'] as const) : (['get'] as const)) {
        const { status, headers } = await web(method, prefix + altered + suffix);
        expect([method, altered, status, headers.location]).toEqual([method, altered, 404, undefined]);
      }
    }
    expect(await stored.events.count({ emailId: email._id })).toBe(0);
  });

  test('serves its own purpose only', async () => {
    const all = Object.entries(purposes(await delivered({})));
    for (const [made, [, token]] of all) {
      for (const [asked, [prefix, , suffix]] of all.filter(([name]) => name !== made)) {
        const { status } = await web('get', prefix + token + suffix);
        expect([made, asked, status]).toEqual([made, asked, 404]);
      }
    }
  });

  test('of a click keeps its own address', async () => {
    const email = await delivered({});
    const [id, , signature] = last(clickUrl(app.core, email, 'https://example.com/')).split('.');
    const elsewhere = Buffer.from('https://evil.example/').toString('base64url');
    await web('get', `/t/c/${id}.${elsewhere}.${signature}`).expect(404);
    const { headers } = await web('get', `/t/c/${id}.${elsewhere}.${signature}?url=https://evil.example/`).expect(404);
    expect(headers.location).toBeUndefined();
  });

  test('of a pixel needs its ending', async () => {
    const [prefix, token] = purposes(await delivered({}))['open'] ?? ['', ''];
    for (const path of [prefix + token, `${prefix}${token}.png`]) expect((await web('get', path)).status).toBe(404);
  });

  test.each(['/t', '/t/', '/t/o/', '/t/c/', '/u', '/u/', '/v/', '/t/x/abc', '/T/O/abc.gif', '/u/a/b'])('is missing: %s', async (path) => {
    expect((await web('get', path)).status).toBe(404);
  });

  test('is asked for by the methods that there are', async () => {
    const paths = Object.values(purposes(await delivered({}))).map(([prefix, token, suffix]) => prefix + token + suffix);
    for (const path of paths) {
      for (const method of ['put', 'delete', 'options'] as const) {
        const { status, headers } = await web(method, path);
        expect([status, headers.allow]).toEqual([405, path.startsWith('/u/') ? 'GET, POST, HEAD' : 'GET, HEAD']);
      }
    }
    await web('post', paths[0] ?? '').expect(405);
  });
});

test('the log has the template of a path, never a token or an address', async () => {
  const email = await delivered({ to: 'secret.reader@example.com' });
  lines.length = 0;
  const paths = [pathOf(openPixelUrl(app.core, email)), pathOf(clickUrl(app.core, email, 'https://example.com/')), links(email).view];
  for (const path of [...paths, links(email).unsubscribe]) await web('get', path);
  await web('post', links(email).unsubscribe);
  await web('get', `${links(email).view}0`);
  expect(lines.map((line) => (JSON.parse(line) as { route: string }).route)).toEqual([
    '/t/o/{token}',
    '/t/c/{token}',
    '/v/{token}',
    '/u/{token}',
    '/u/{token}',
    '/v/{token}',
  ]);
  const written = lines.join('');
  for (const secret of [...paths, links(email).unsubscribe].map((path) => path.slice(path.indexOf('.'))))
    expect(written).not.toContain(secret);
  expect(written).not.toContain(email.to);
});

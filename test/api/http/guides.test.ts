import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import request from 'supertest';
import { CONTENTS, readLibrary } from '../../../api/guides/library';
import { aProject } from '../../support/platform/app';

const DOCS = path.join(__dirname, '../../../docs');
const NAMES = readdirSync(DOCS).flatMap((file) => /^([a-z-]+)\.md$/.exec(file)?.[1] ?? []);
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const app = aProject({ config: { DEV_INBOX_URL: 'http://127.0.0.1:1' } });

const get = (url: string) => request(app.url).get(url).set('Accept', BROWSER);
const linksOf = (html: string): string[] => [...html.matchAll(/ href="([^"]+)"/g)].map(([, url = '']) => url);

describe('a browser at /', () => {
  test('is shown a page, and each of its links leads somewhere', async () => {
    const page = await get('/').expect(200);
    expect([page.headers['content-type'], page.headers['vary']]).toEqual(['text/html; charset=utf-8', expect.stringContaining('Accept')]);
    const links = linksOf(page.text);
    expect(links).toEqual(
      expect.arrayContaining(['/docs/guides/quickstart', '/docs/guides', '/docs', '/v1/openapi.json', '/console', '/dev/inbox']),
    );
    for (const url of links.filter((each) => each !== '/dev/inbox' && each !== '/console'))
      expect([url, (await get(url)).status]).toEqual([url, 200]);
  });

  test.each([['*/*'], ['application/json'], ['']])('is not what asks for "%s": that finds nothing there', async (accept) => {
    const { status, body } = await request(app.url).get('/').set('Accept', accept);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  test('has no other method there', async () => {
    expect((await request(app.url).post('/').set('Accept', BROWSER)).status).toBe(404);
  });
});

describe('the guides', () => {
  test('are all of the pages in docs, each in one place of the contents', async () => {
    const listed = CONTENTS.flatMap(([, names]) => names);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((name) => !NAMES.includes(name))).toEqual([]);
    const { text } = await get('/docs/guides').expect(200);
    expect(linksOf(text).filter((url) => url.startsWith('/docs/guides/'))).toHaveLength(NAMES.length);
  });

  test.each(NAMES)('%s is readable, with the way to the others, and no script or outside asset', async (name) => {
    const { text, headers } = await get(`/docs/guides/${name}`).expect(200);
    const [, title = ''] = /^# (.+)$/m.exec(readFileSync(path.join(DOCS, `${name}.md`), 'utf8')) ?? [];
    expect(text).toMatch(new RegExp(`<h1 id="[^"]+">${title}</h1>`));
    expect(text).toContain(`<a href="/docs/guides/${name}" aria-current="page">`);
    expect(text).not.toMatch(/<(script|link|img)\b|<[^>]*\s(style|src|on\w+)=|url\(|@import/);
    expect(text).not.toMatch(/&lt;img src=&quot;(?!cid:)/);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none';style-src 'sha256-[^']+';base-uri 'none';form-action 'none';frame-ancestors 'none'$/,
    );
    for (const tag of ['a', 'span']) expect(text.split(`</${tag}>`).length).toBe(text.split(new RegExp(`<${tag}[ >]`)).length);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('are compressed for those who take it', async () => {
    const { headers } = await get('/docs/guides/sending').set('Accept-Encoding', 'gzip');
    expect([headers['content-encoding'], headers['vary']]).toEqual(['gzip', expect.stringContaining('Accept-Encoding')]);
  });

  test('link to pages and headings that are there', () => {
    const { guides } = readLibrary();
    const broken = [...guides.values()].flatMap(({ name, html }) =>
      linksOf(html).flatMap((url) => {
        if (/^https?:/.test(url)) return [];
        const [, page = name, anchor = ''] = /^(?:\/docs\/guides\/([a-z-]+))?(?:#(.*))?$/.exec(url) ?? [];
        const isThere = anchor === '' || guides.get(page)?.html.includes(` id="${decodeURIComponent(anchor)}"`);
        return guides.has(page) && isThere ? [] : [`${name}: ${url}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test.each([
    'decisions',
    'decisions/0001-code-divided-into-wings-and-rooms',
    'openapi.json',
    'sending.md',
    '..%2fREADME',
    '%2e%2e/package.json',
    'unknown',
  ])('%s is none of them', async (name) => {
    expect((await get(`/docs/guides/${name}`)).status).toBe(404);
  });

  test('take no other method', async () => {
    const { status, headers } = await request(app.url).post('/docs/guides/sending');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});

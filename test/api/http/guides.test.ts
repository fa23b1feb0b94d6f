import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import request from 'supertest';
import { readLibrary } from '../../../api/guides/library';
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
    const listed = readLibrary().groups.flatMap(([, guides]) => guides.map(({ guide }) => guide.name));
    expect(listed.toSorted()).toEqual(NAMES.toSorted());
    const { text } = await get('/docs/guides').expect(200);
    expect(linksOf(text).filter((url) => url.startsWith('/docs/guides/'))).toEqual(listed.map((name) => `/docs/guides/${name}`));
    expect(text).toMatch(/>Sending<\/a>: one message or a batch, /);
  });

  test.each(NAMES)('%s is readable, with the way to the others, and no asset but its own script and style', async (name) => {
    const { text, headers } = await get(`/docs/guides/${name}`).expect(200);
    const [, title = ''] = /^# (.+)$/m.exec(readFileSync(path.join(DOCS, `${name}.md`), 'utf8')) ?? [];
    expect(text).toMatch(new RegExp(`<h1 id="[^"]+">${title}</h1>`));
    expect(text).toContain(`<a href="/docs/guides/${name}" aria-current="page">`);
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script>']);
    expect(text).not.toMatch(/<(link|img)\b|<[^>]*\s(style|src|on\w+)=|url\(|@import/);
    expect(text).not.toMatch(/&lt;img src=&quot;(?!cid:)/);
    const hashOf = (tag: string): string => {
      const [, content = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text) ?? [];
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    };
    expect(headers['content-security-policy']?.split(';').toSorted()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      `script-src ${hashOf('script')}`,
      `style-src ${hashOf('style')}`,
    ]);
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
    'unknown.md',
    'README.md',
    'sending/md',
    '..%2fREADME',
    '%2e%2e/package.json',
    'unknown',
  ])('%s is none of them', async (name) => {
    expect((await get(`/docs/guides/${name}`)).status).toBe(404);
  });

  test('list the headings of the page', async () => {
    const { text } = await get('/docs/guides/sending');
    const [list = ''] = /<nav class="page"[^]*?<\/nav>/.exec(text) ?? [];
    const headings = [...text.matchAll(/<h2 id="([^"]+)">/g)].map(([, id = '']) => `#${id}`).filter((id) => id !== '#on-this-page');
    expect(linksOf(list)).toEqual(headings);
  });

  test('show the languages of an example together', async () => {
    const { text } = await get('/docs/guides/quickstart');
    const examples = [...text.matchAll(/<div class="example">([^]*?)<\/div>\n<\/div>/g)].map(([, blocks = '']) => [
      ...blocks.matchAll(/data-language="([^"]+)"/g),
    ]);
    expect(examples.length).toBeGreaterThan(4);
    for (const languages of examples) expect(languages.map(([, name]) => name)).toEqual(['curl', 'TypeScript', 'Python']);
  });

  test('take no other method', async () => {
    const { status, headers } = await request(app.url).post('/docs/guides/sending');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a guide in Markdown', () => {
  test('is the page with links that lead somewhere', async () => {
    const { text, headers } = await get('/docs/guides/quickstart.md').expect(200);
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(text).toMatch(/^# Quickstart\n/);
    expect(text).toContain('](sending.md)');
    expect(text).not.toContain('](../');
    const blocks = (page: string): readonly string[] => page.match(/^```[^]*?^```$/gm) ?? [];
    expect(blocks(text)).toEqual(blocks(readFileSync(path.join(DOCS, 'quickstart.md'), 'utf8')));
  });
});

describe('llms.txt', () => {
  test('lists every guide in Markdown, by reader, with a line on it', async () => {
    const { text, headers } = await request(app.url).get('/llms.txt').expect(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# Lettermill\n\n> An open e-mail platform: /);
    const base = app.core.config.PUBLIC_URL;
    expect(text).toContain(`- [Webhooks](${base}/docs/guides/webhooks.md): `);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url);
    expect(links.filter((url) => url.endsWith('.md'))).toHaveLength(NAMES.length);
    for (const url of links) {
      expect(url.startsWith(base)).toBe(true);
      expect([url, (await get(url.slice(base.length))).status]).toEqual([url, 200]);
    }
  });

  test('has a companion with all pages', async () => {
    const { text } = await request(app.url).get('/llms-full.txt').expect(200);
    for (const { source } of readLibrary().guides.values()) expect(text).toContain(source.trimEnd());
  });
});

describe('the search', () => {
  const search = async (q: string): Promise<string> => (await get('/docs/guides/search').query({ q }).expect(200)).text;
  const foundBy = async (q: string): Promise<string[]> =>
    linksOf((await search(q)).replace(/^[^]*<main/, '')).filter((url) => url.includes('#'));

  test.each([
    ['idempotency', '/docs/guides/sending#idempotency'],
    ['IDEMPOT', '/docs/guides/sending#idempotency'],
    ['quickstart', '/docs/guides/quickstart#quickstart'],
    ['abSubjectB', '/docs/guides/campaigns#'],
  ])('finds "%s"', async (query, url) => {
    expect((await foundBy(query)).some((each) => each.startsWith(url))).toBe(true);
  });

  test('puts headings first, and marks what it found', async () => {
    expect((await foundBy('receive webhooks'))[0]).toBe('/docs/guides/quickstart#receive-webhooks');
    expect(await search('webhook')).toContain('<mark>webhook</mark>');
  });

  test('wants all words', async () => {
    expect(await foundBy('webhook xylophone')).toEqual([]);
    expect(await search('webhook xylophone')).toContain('Try fewer words');
  });

  test('leads to sections that exist', async () => {
    const { guides } = readLibrary();
    for (const url of await foundBy('mail')) {
      const [, name = '', anchor = ''] = /^\/docs\/guides\/([a-z-]+)#(.+)$/.exec(url) ?? [];
      expect([url, guides.get(name)?.html.includes(` id="${decodeURIComponent(anchor)}"`)]).toEqual([url, true]);
    }
  });

  test.each(['', ' ', '.*', '((', String.raw`\u{`, '-', '"><script>alert(1)</script>', 'a'.repeat(5_000), '[x](y)'])(
    'takes "%.20s" as text',
    async (query) => {
      const page = await search(query);
      expect(page).not.toContain('<script');
      expect(page).toContain('<h1>Search the guides</h1>');
    },
  );

  test('answers without a query, with two, and with no other method', async () => {
    await get('/docs/guides/search').expect(200);
    await get('/docs/guides/search?q=a&q=b').expect(200);
    expect((await request(app.url).post('/docs/guides/search')).status).toBe(405);
  });
});

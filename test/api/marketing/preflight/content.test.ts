import { campaignExtensions } from '../../../../api/campaigns/routes';
import { campaignCalls } from '../../../support/calls/campaigns';
import { preflightCalls } from '../../../support/calls/preflight';
import { stored } from '../../../support/data/stored';
import { aProject, servedBeside } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import { aSpamd, anRspamd } from '../../../support/servers/spam-filters';
import { aReceiver } from '../../../support/servers/webhooks';

const dns = aNameServer();
const shop = aReceiver();
const rspamd = anRspamd();
const spamd = aSpamd();
const app = aProject(() => ({
  config: {
    DNS_SERVERS: dns.address,
    DEV_VERIFIED_DOMAINS: 'hello.test',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_INSECURE: 'true',
    SPAM_CHECK_URL: rspamd.url,
  },
}));
const guarded = servedBeside(app, campaignExtensions, (core) => ({ ...core, config: { ...core.config, WEBHOOK_ALLOW_PRIVATE: false } }));
const asksSpamd = servedBeside(app, campaignExtensions, (core) => ({ ...core, config: { ...core.config, SPAM_CHECK_URL: spamd.url } }));

const { draft, contact } = campaignCalls(() => app);
const { checksOf, checkOf } = preflightCalls(() => app);

const CLEAN = { action: 'no action', score: 0.4, required_score: 15, symbols: {} };

beforeEach(async () => {
  rspamd.answer = { status: 200, body: CLEAN };
  shop.answer = (res) => res.end();
  await stored.contacts.remove();
});

describe('the content', () => {
  const A_LINE = '<p>A line of text that is long enough to read it as text.</p>';

  test.each([
    ['subject', { subject: 'BUY EVERYTHING NOW' }, 'warn', 'The subject is all in capitals'],
    ['subject', { subject: 'Re: your order' }, 'warn', 'The subject pretends to be a reply'],
    ['subject', { subject: 'Same', abSubjectB: 'Same' }, 'warn', 'Both subjects of the A/B test are the same'],
    ['subject', { subject: 'One', abSubjectB: 'Sale!!!' }, 'warn', 'Subject B has many exclamation marks'],
    ['subject', { subject: 'One', abSubjectB: 'Two' }, 'ok', undefined],
    ['images', { body: `${A_LINE}<img src="a.png"><img src="b.png" alt="">` }, 'warn', 'a.png'],
    ['images', { body: `${A_LINE}<img src="b.png" alt="A boat">` }, 'ok', undefined],
    ['text', { body: '<img src="a.png" alt="All of our sale, in one picture with long words">' }, 'warn', undefined],
    ['text', { body: `<img src="a.png" alt="">${A_LINE}` }, 'ok', undefined],
    ['text', { body: '<p> </p>' }, 'warn', undefined],
    ['size', { body: `<p>${'x'.repeat(103 * 1024)}</p>` }, 'warn', expect.stringMatching(/^10\d KB of HTML$/)],
    [
      'client_support',
      { body: '<p style="display:flex">x</p>' },
      'warn',
      'Outlook on Windows ignores flexbox. Use tables. (caniemail.com: css-display-flex)',
    ],
    ['spam_words', { body: '<p>Act now, it is 100% free</p>' }, 'warn', '100% free, act now'],
    ['unsubscribe_link', { body: '<a href="{{unsubscribeUrl}}">Stop</a>' }, 'ok', undefined],
    ['unsubscribe_link', { body: '{{#if data.vip}}<a href="{{unsubscribeUrl}}">Stop</a>{{/if}}' }, 'warn', undefined],
  ])('%s of %j', async (name, more, level, detail) => {
    const found = await checkOf(name, more);
    expect([found.level, found.detail]).toEqual([level, detail]);
  });

  test('one that cannot be rendered warns, and the checks of a rendered message are left out', async () => {
    await contact('ada@example.com', { data: { rows: Array.from({ length: 200 }, () => 1) } });
    const { campaignId } = await draft({
      body: '{{#each data.rows}}{{#each ../data.rows}}{{#each ../../data.rows}}x{{/each}}{{/each}}{{/each}}{{#each data.rows}}{{#each @root.data.rows}}{{#each @root.data.rows}}y{{/each}}{{/each}}{{/each}}',
    });
    const names = (await checksOf(campaignId)).map(({ check, level }) => `${check} ${level}`);
    expect(names).toContain('rendering warn');
    expect(names.some((name) => name.startsWith('size'))).toBe(false);
  });

  test('the postal address of the brand is looked for', async () => {
    expect(await checkOf('postal_address')).toMatchObject({ level: 'warn' });
    await app
      .api()
      .patch('/v1/settings')
      .send({ brand: { address: '1 Main Street' } })
      .expect(200);
    expect(await checkOf('postal_address')).toMatchObject({ level: 'ok' });
    const own = '<a href="{{unsubscribeUrl}}">Stop</a>';
    expect(await checkOf('postal_address', { body: own })).toMatchObject({ level: 'warn', how: 'Write the address into the content.' });
    expect(await checkOf('postal_address', { body: `${own} <p>1 Main Street</p>` })).toMatchObject({ level: 'ok' });
    await app
      .api()
      .patch('/v1/settings')
      .send({ brand: { address: null } })
      .expect(200);
  });
});

describe('a campaign in several languages', () => {
  const LONG = 'A line of text that is long enough to read it as text.';
  const body = (more: string) => `<p>${LONG}</p>${more}`;
  const checksIn = async (more: object) => {
    const { campaignId } = await draft(more);
    const checks = await checksOf(campaignId);
    return (name: string) =>
      checks.filter(({ check }) => check === name).map(({ level, detail, languages }) => [level, languages, detail] as const);
  };

  test('each check looks at each content; what is not found in all of them names its languages', async () => {
    await contact('ada@example.com', { firstName: 'Ada', locale: 'en' });
    await contact('uwe@example.com', { locale: 'de-AT' });
    await contact('eva@example.com', { firstName: 'Eva', locale: 'de' });
    rspamd.answer = { status: 200, body: { ...CLEAN, action: 'add header', score: 8.5 } };
    const of = await checksIn({
      body: body('<img src="a.png"><p>Hello {{firstName}}</p><a href="https://nohost/x">x</a>'),
      variants: {
        de: { subject: 'AW: Neuigkeiten', body: body(`<p>${'x'.repeat(103 * 1024)} {{firstName}}</p><img src="a.png">`) },
        fr: { subject: 'Bonjour', body: body('<img src="b.png"><p>Act now *|FNAME|*</p><a href="https://nohost/x">x</a>') },
        es: { subject: 'Hola', body: '{{#if data.vip}}<a href="{{unsubscribeUrl}}">x</a>{{/if}}' },
      },
    });
    expect({
      subject: of('subject'),
      size: of('size'),
      images: of('images'),
      text: of('text'),
      links: of('links'),
      placeholders: of('placeholders'),
      words: of('spam_words'),
      unsubscribe: of('unsubscribe_link'),
      score: of('spam_score'),
      signed: of('one_click_unsubscribe'),
    }).toEqual({
      subject: [['warn', ['de'], 'The subject pretends to be a reply']],
      size: [['warn', ['de'], expect.stringMatching(/^10\d KB of HTML$/)]],
      images: [
        ['warn', [null, 'de'], 'a.png'],
        ['warn', ['fr'], 'b.png'],
      ],
      text: [['warn', ['es'], undefined]],
      links: [['warn', [null, 'fr'], 'https://nohost/x has no full host name']],
      placeholders: [
        ['warn', ['de'], '{{firstName}}: 50 %, of a sample of 2'],
        ['warn', ['fr'], '*|FNAME|*'],
      ],
      words: [['warn', ['fr'], 'act now']],
      unsubscribe: [['warn', ['es'], undefined]],
      score: [['warn', undefined, 'score 8.5 of 15']],
      signed: [['ok', undefined, undefined]],
    });
  });

  test('placeholders are not called fine in a language that no reader of the sample gets', async () => {
    await contact('ada@example.com', { firstName: 'Ada', locale: 'en' });
    const content = body('<p>{{firstName}}</p>');
    const of = await checksIn({ body: content, variants: { de: { subject: 'Neues', body: content } } });
    expect(of('placeholders')).toEqual([['ok', [null], 'of a sample of 1']]);
  });

  test('what is fine in all languages is said once, with what is found in each', async () => {
    const of = await checksIn({ body: body('<p>1</p>'), variants: { de: { subject: 'Neues', body: body('x'.repeat(2_048)) } } });
    expect(of('images')).toEqual([['ok', undefined, undefined]]);
    expect(of('size')).toEqual([['ok', undefined, expect.stringMatching(/^default: \d KB of HTML; de: \d KB of HTML$/)]]);
  });
});

describe('links', () => {
  const page = (...hrefs: readonly string[]) => ({ body: hrefs.map((href) => `<a href="${href}">x</a>`).join(' ') });

  test('of a wrong form are named; those with placeholders are judged by their form only', async () => {
    const asked = shop.received.length;
    const found = await checkOf(
      'links',
      page(
        'www.example.com',
        '#',
        'http://exa mple',
        'javascript:alert(1)',
        'mailto:nobody',
        'https://nohost/x',
        '{{data.url}}',
        `${shop.url}/{{data.id}}`,
      ),
    );
    expect(found).toMatchObject({ level: 'warn', what: '6 links look broken.' });
    for (const link of ['www.example.com', '# leads', 'http://exa mple', 'javascript:', 'mailto:nobody', 'https://nohost/x']) {
      expect(found.detail).toContain(link);
    }
    expect(shop.received.length).toBe(asked);
  });

  test('are asked with HEAD, then GET: dead ones warn, redirects are followed and told, servers that turn programs away are not checked', async () => {
    shop.answer = (res, { path, method }) => {
      if (path === '/gone') res.statusCode = 404;
      if (path === '/closed') res.statusCode = 403;
      if (path === '/get' && method === 'HEAD') res.statusCode = 405;
      if (path === '/moved' || path === '/loop') {
        res.statusCode = 302;
        res.setHeader('location', path === '/moved' ? '/get' : '/loop');
      }
      res.end();
    };
    const asked = shop.received.length;
    expect(await checkOf('links', page(`${shop.url}/get`, `${shop.url}/get`, 'mailto:us@hello.test'))).toMatchObject({ level: 'ok' });
    expect(shop.received.slice(asked).map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /get', 'GET /get']);
    expect(await checkOf('links', page(`${shop.url}/moved`))).toMatchObject({
      level: 'ok',
      detail: expect.stringContaining('redirects to'),
    });
    expect(await checkOf('links', page(`${shop.url}/closed`))).toMatchObject({
      level: 'ok',
      detail: expect.stringContaining('not checked'),
    });
    const dead = await checkOf('links', page(`${shop.url}/gone`, `${shop.url}/loop`, 'http://127.0.0.1:1/'));
    expect(dead).toMatchObject({ level: 'warn', what: '3 links look broken.', detail: expect.stringContaining('/gone: HTTP 404') });
  });

  test('to hosts that are not public, or with credentials, are never asked', async () => {
    const asked = shop.received.length;
    dns.names.set('inside.example', { A: ['10.0.0.1'] });
    const found = await checkOf(
      'links',
      page(`${shop.url}/a`, 'http://inside.example/b', 'http://user:secret@example.com/'),
      guarded.api(),
    );
    expect(found.level).toBe('ok');
    expect(found.detail?.match(/its host is not public/g)).toHaveLength(3);
    expect(shop.received.length).toBe(asked);
  });

  test('at most 20 are fetched', async () => {
    const asked = shop.received.length;
    const found = await checkOf('links', page(...Array.from({ length: 22 }, (_, index) => `${shop.url}/${index}`)));
    expect([found.level, shop.received.length - asked]).toEqual(['ok', 20]);
    expect(found.detail?.match(/only 20 links are fetched/g)).toHaveLength(2);
  });
});

describe('the spam filter', () => {
  test('rspamd is asked about the message as it would be sent, and its verdict is told', async () => {
    const before = rspamd.asked.length;
    expect(await checkOf('spam_score')).toMatchObject({ level: 'ok', detail: 'score 0.4 of 15' });
    const [asked] = rspamd.asked.slice(before);
    expect(asked).toMatchObject({ method: 'POST', path: '/checkv2' });
    expect(asked?.message).toMatch(/^DKIM-Signature: /);
    expect(asked?.message).toContain('Subject: Hello');
    const symbols = { GTUBE: { name: 'GTUBE', score: 9 }, GOOD: { score: -1 }, BIT: { score: 0.5 } };
    rspamd.answer = { status: 200, body: { ...CLEAN, action: 'add header', score: 8.5, symbols } };
    expect(await checkOf('spam_score')).toMatchObject({ level: 'warn', detail: 'score 8.5 of 15, GTUBE, BIT' });
  });

  test.each([
    { status: 500, body: {} },
    { status: 200, body: { score: 'high' } },
  ])('one that gives no verdict warns: %j', async (answer) => {
    rspamd.answer = answer;
    expect(await checkOf('spam_score')).toMatchObject({ level: 'warn', what: 'The spam filter gave no verdict.' });
  });

  test('scores up to five messages of a campaign at once, and gives each its verdict', async () => {
    const ask = globalThis.fetch;
    let [open, most] = [0, 0];
    const asking = jest.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      most = Math.max(most, ++open);
      try {
        return await ask(...request);
      } finally {
        open -= 1;
      }
    });
    const content = { subject: 'News', body: '<p>News</p>' };
    const variants = Object.fromEntries(['de', 'fr', 'es', 'it', 'nl', 'pt', 'sv'].map((language) => [language, content]));
    const { languages } = await checkOf('spam_score', { variants });
    const calls = asking.mock.calls.length;
    asking.mockRestore();
    expect({ most, calls, languages }).toEqual({ most: 5, calls: 8, languages: undefined });
  });

  test('SpamAssassin is asked in its own protocol', async () => {
    spamd.answer = 'SPAMD/1.1 0 EX_OK\r\nContent-length: 20\r\nSpam: True ; 6.1 / 5.0\r\n\r\nHTML_MESSAGE,GTUBE\r\n';
    expect(await checkOf('spam_score', {}, asksSpamd.api())).toMatchObject({
      level: 'warn',
      detail: 'score 6.1 of 5, HTML_MESSAGE, GTUBE',
    });
    expect(spamd.asked[0]).toMatch(/^SYMBOLS SPAMC\/1\.2\r\nContent-length: \d+\r\n\r\nDKIM-Signature: /);
    spamd.answer = 'SPAMD/1.1 0 EX_OK\r\nSpam: False ; -0.1 / 5.0\r\n\r\n\r\n';
    expect(await checkOf('spam_score', {}, asksSpamd.api())).toMatchObject({ level: 'ok', detail: 'score -0.1 of 5' });
    spamd.answer = 'SPAMD/1.0 76 Bad header line\r\n\r\n';
    expect(await checkOf('spam_score', {}, asksSpamd.api())).toMatchObject({ level: 'warn' });
  });
});

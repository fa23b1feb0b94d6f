import { STATUS } from '../../../api/http/errors';
import { aProject } from '../../support/platform/app';

const app = aProject();

test('every code has its paragraph in the guide', async () => {
  const { text } = await app.api(null).get('/docs/guides/errors').expect(200);
  for (const code of Object.keys(STATUS)) expect([code, text.includes(`<h3 id="${code}">`)]).toEqual([code, true]);
});

test.each([
  ['/v1/email', '/v1/emails'],
  ['/v1/contact/ctc_1', '/v1/contacts/{id}'],
  ['/v1/contacts/', '/v1/contacts'],
  ['/v2/segments', '/v1/segments'],
  ['/templates', '/v1/templates'],
  [`/v1/${'x/'.repeat(500)}`, null],
  ['/v1/__proto__', null],
])('%s is no path, and the answer names the one that was probably meant', async (path, meant) => {
  const { body } = await app.api(null).get(path).expect(404);
  expect([body.code, body.error]).toEqual(['not_found', `There is no such path${meant === null ? '' : `: did you mean ${meant}?`}`]);
});

describe('a query parameter that an operation does not know', () => {
  const warningOf = async (path: string): Promise<unknown> => (await app.api().get(path)).headers['x-lettermill-warning'];

  test('is ignored and named, with what was probably meant', async () => {
    const { body, headers } = await app.api().get('/v1/emails?limt=5&utm_source=x').expect(200);
    expect(body.success).toBe(true);
    expect(headers['x-lettermill-warning']).toBe('Unknown query parameters were ignored: limt (did you mean limit?), utm_source');
    expect(await warningOf('/v1/emails?limit=5')).toBeUndefined();
    expect(await warningOf('/v1/campaigns?limit=5&cursor=')).toBeUndefined();
    expect(await warningOf('/v1/billing?month=2026-11')).toBe('Unknown query parameters were ignored: month');
    expect(await warningOf('/v1/emails?limt=5&status=no')).toContain('limt');
  });

  test('reaches the header as plain letters, and not at any length', async () => {
    const nasty = encodeURIComponent('é\r\nSet-Cookie: a="b", c;\u{1f4a5}');
    expect(await warningOf(`/v1/emails?${nasty}=1`)).toBe(
      'Unknown query parameters were ignored: %C3%A9%0D%0ASet-Cookie%3A%20a%3D%22b%22%2C%20c%3B%F0%9F%92%A5',
    );
    const many = Array.from({ length: 50 }, (_, index) => `p${index}${'x'.repeat(100)}=1`).join('&');
    const shown = String(await warningOf(`/v1/emails?${many}`));
    expect(shown).toMatch(/^[\x20-\x7e]{1,300}$/);
    expect(shown).toMatch(/ and 45 more$/);
    expect(await warningOf('/v1/emails?__proto__=1&constructor=2')).toContain('constructor');
  });
});

test.each(['to[$gt]=', 'to[$ne]=x', 'to[]=ada@example.com', 'to%5B%24regex%5D=.*', 'status[in]=sent', 'limit[0]=5', 'cursor[a][b]=c'])(
  'a known parameter with brackets, ?%s, is refused: the list is not what was asked for',
  async (query) => {
    const { body } = await app.api().get(`/v1/emails?${query}`).expect(422);
    const path = query.split(/[[%]/)[0];
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path, code: 'invalid_type' }] });
  },
);

test('an unknown parameter with brackets is ignored as any other', async () => {
  const { headers } = await app.api().get('/v1/emails?$where[a]=1&none[$gt]=').expect(200);
  expect(headers['x-lettermill-warning']).toMatch(/^Unknown query parameters were ignored: /);
});

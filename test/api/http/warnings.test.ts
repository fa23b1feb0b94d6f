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
  expect([body.code, body.error]).toEqual(['not_found', `This path does not exist${meant === null ? '' : `: did you mean ${meant}?`}`]);
});

test.each([
  ['POST', '/emails', 'POST /v1/send sends a message'],
  ['POST', '/v1/email', 'POST /v1/send sends a message'],
  ['POST', '/v3/mail/send', 'POST /v1/send sends a message'],
  ['POST', '/v1/emails/em_1/cancel', 'DELETE /v1/emails/{id} cancels a message that waits'],
  ['POST', '/emails/batch', 'POST /v1/send/batch sends several messages'],
  ['POST', '/v1/broadcasts', 'did you mean /v1/campaigns?'],
  ['GET', '/broadcasts/cmp_1', 'did you mean /v1/campaigns/{id}?'],
  ['GET', '/v1/lists', 'did you mean /v1/segments?'],
])('%s %s is of another service, and the answer names its counterpart', async (method, path, counterpart) => {
  const { body } = await app.api(null)[method === 'GET' ? 'get' : 'post'](path).expect(404);
  expect(body.error).toBe(`This path does not exist: ${counterpart}`);
});

test.each([
  ['post', '/v1/emails', 'POST /v1/send sends a message'],
  ['patch', '/v1/contacts/ctc_1', 'POST /v1/contacts updates a contact, by its address'],
] as const)('%s %s is no method of the path, and the answer names its counterpart', async (method, path, counterpart) => {
  const { body } = await app.api(null)[method](path).expect(405);
  expect(body.error).toContain(`; ${counterpart}`);
});

describe('what is probably not as it was meant', () => {
  const warned = async (path: string, body: object): Promise<unknown> => {
    const answer = await app.api().post(path).send(body);
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
    return answer.headers['x-lettermill-warning'];
  };
  const sentAsWritten = (found: string | undefined): unknown =>
    found === undefined ? undefined : `${found} and is sent as it is written: placeholders here are like {{firstName}}`;
  const CONTENT = { name: 'a', subject: 'Hello', body: '<p>{{firstName}}</p>', fromEmail: 'a@hello.test' };

  test.each([
    ['{% if vip %}x{% endif %}', '{% if vip %} looks like Liquid or Jinja'],
    ['Hello *|FNAME|*', '*|FNAME|* looks like Mailchimp'],
    ['Hello %recipient.name%', '%recipient.name% looks like Mailgun'],
    ['<%= name %>', '<%= name %> looks like ERB'],
    ['100% {of} * | all', undefined],
  ])('placeholders of other services: %s', async (body, expected) => {
    const text = sentAsWritten(expected);
    expect(await warned('/v1/templates', { ...CONTENT, body })).toEqual(text);
    expect(await warned('/v1/campaigns', { ...CONTENT, body })).toEqual(text);
    expect(await warned('/v1/templates/preview', { subject: 'a', body })).toEqual(text);
    const config = { subject: 'a', body, fromEmail: 'a@hello.test' };
    const graph = { nodes: [{ id: 'a', type: 'send_email', config }], edges: [] };
    expect(await warned('/v1/workflows', { name: 'a', trigger: 'event:a', graph })).toEqual(text);
    const test = await app
      .api(app.keys.test)
      .post('/v1/send')
      .send({ to: 'a@example.com', from: 'a@hello.test', subject: body, text: 'x' });
    expect([test.status, test.headers['x-lettermill-warning']]).toEqual([200, text]);
  });

  test('conditions that no stored value can meet', async () => {
    await app
      .api()
      .post('/v1/contacts')
      .send({ email: 'n@example.com', data: { seats: 3, plan: 'pro', since: '2026-01-01' } })
      .expect(201);
    const preview = (filter: object) => warned('/v1/segments/preview', { conditions: { logic: 'and', groups: [{ filters: [filter] }] } });
    const nobody = 'Every stored value of data.seats is a number, so a condition on it matches nobody';
    expect(await preview({ field: 'data.seats', operator: 'contains', value: '3' })).toBe(nobody);
    expect(await preview({ field: 'data.seats', operator: 'equals', value: '3' })).toBe(nobody);
    expect(await preview({ field: 'data.seats', operator: 'greaterThan', value: 2 })).toBeUndefined();
    expect(await preview({ field: 'data.plan', operator: 'greaterThan', value: 2 })).toContain('data.plan is a text');
    expect(await preview({ field: 'data.since', operator: 'startsWith', value: '2026' })).toBeUndefined();
    expect(await preview({ field: 'data.none', operator: 'contains', value: 'x' })).toBeUndefined();
  });
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

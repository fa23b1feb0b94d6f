import { aProject } from '../../support/platform/app';
import { faultsOf } from '../../support/calls/campaigns';
import { onTheWireOf } from '../../support/checks/wire';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

afterEach(() => settings({ brand: null }));

const settings = async (body: object) => (await app.api().patch('/v1/settings').send(body).expect(200)).body.data;
const NOTHING = { name: null, logoUrl: null, color: null, address: null, css: null };
const BRAND = {
  name: 'Acme & Sons',
  logoUrl: 'https://cdn.example.com/logo.png',
  color: '#1a7f5a',
  address: 'Main Street 1\n1010 Vienna',
  css: 'h1 { color: #1a7f5a } @media (max-width: 400px) { h1 { font-size: 18px } }',
};
const MAIL = { to: 'ada@example.com', from: 'team@hello.test', subject: 'News', html: '<p>News</p>' };

/** What a worker would send of a message. */
async function sent(message: object) {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MAIL, ...message })
    .expect(200);
  const { parsed } = await onTheWireOf(app, body.data.results[0].id as string);
  return { html: String(parsed.html), text: String(parsed.text) };
}

test('a brand is changed member by member, and null removes a member or all of it', async () => {
  const read = async () => (await app.api().get('/v1/settings').expect(200)).body.data.brand;
  expect(await read()).toEqual(NOTHING);
  expect((await settings({ brand: BRAND })).brand).toEqual(BRAND);
  expect((await settings({ brand: { css: null, name: 'Acme' } })).brand).toEqual({ ...BRAND, css: null, name: 'Acme' });
  await settings({ brand: {} });
  expect(await read()).toEqual({ ...BRAND, css: null, name: 'Acme' });
  expect((await settings({ brand: null })).brand).toEqual(NOTHING);
});

test.each([
  [{ logoUrl: 'http://cdn.example.com/logo.png' }, 'logoUrl', 'invalid_string'],
  [{ logoUrl: 'javascript:alert(1)' }, 'logoUrl', 'invalid_string'],
  [{ color: 'red' }, 'color', 'invalid_string'],
  [{ color: '#12345' }, 'color', 'invalid_string'],
  [{ address: ' \n ' }, 'address', 'too_small'],
  [{ address: 'x'.repeat(501) }, 'address', 'too_big'],
  [{ address: 'a\u0000b' }, 'address', 'invalid_string'],
  [{ name: 'two\nlines' }, 'name', 'invalid_string'],
  [{ name: '' }, 'name', 'too_small'],
  [{ css: 'p { background: url(https://spy.example/) }' }, 'css', 'invalid_string'],
  [{ css: 'p { background: u\\72l(x) }' }, 'css', 'invalid_string'],
  [{ css: '@import "https://spy.example/x.css";' }, 'css', 'invalid_string'],
  [{ css: '</style><script>alert(1)</script>' }, 'css', 'invalid_string'],
  [{ css: 'p { background: image-set("https://spy.example/x.png" 1x) }' }, 'css', 'invalid_string'],
  [{ colour: '#123456' }, 'colour', 'unrecognized_keys'],
])('of a brand %j is refused', async (brand, member, code) => {
  const { body } = await app.api().patch('/v1/settings').send({ brand }).expect(422);
  expect([body.code, faultsOf(body)]).toEqual(['validation_error', [[`brand.${member}`, code]]]);
});

test('the footer of marketing mail names the sender and the postal address in both parts, in the language of the contact', async () => {
  await settings({ brand: BRAND });
  await app.api().post('/v1/contacts').send({ email: 'ada@example.com', locale: 'de-AT' });
  const { html, text } = await sent({ type: 'marketing' });
  expect(html).toMatch(
    />Abmelden<\/a> · <a href="[^"]+\/p\/[^"]+"[^>]*>E-Mail-Einstellungen<\/a><br>Acme &amp; Sons<br>Main Street 1<br>1010 Vienna<\/p>/,
  );
  expect(text).toMatch(/Abmelden: http\S+\/u\/\S+\nE-Mail-Einstellungen: http\S+\/p\/\S+\n\nAcme & Sons\nMain Street 1\n1010 Vienna\n/);
});

test('a changed address is in the next message, and a message that was accepted keeps the one that it had', async () => {
  await settings({ brand: BRAND });
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MAIL, to: [MAIL.to, 'bob@example.com'], type: 'marketing' })
    .expect(200);
  await settings({ brand: { address: 'Elsewhere 2' } });
  const [first] = body.data.results as { id: string }[];
  expect((await onTheWireOf(app, String(first?.id))).parsed.html).toContain('<br>1010 Vienna</p>');
  expect((await sent({ type: 'marketing' })).html).toContain('<br>Elsewhere 2</p>');
});

test('neither transactional mail nor a body with its own link to unsubscribe has a footer', async () => {
  await settings({ brand: BRAND });
  expect((await sent({})).html).not.toContain('Vienna');
  expect((await sent({ type: 'marketing', html: '<a href="{{unsubscribeUrl}}">Leave</a>' })).html).not.toContain('Vienna');
});

test('{{preferencesUrl}} is a link of the message: untracked, in the subject and in both parts', async () => {
  const message = {
    subject: 'See {{preferencesUrl}}',
    html: '<a href="{{preferencesUrl}}">Choose</a>',
    variables: { preferencesUrl: 'x' },
  };
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MAIL, ...message })
    .expect(200);
  const { parsed } = await onTheWireOf(app, body.data.results[0].id as string);
  const url = `${app.core.config.PUBLIC_URL}/p/`;
  expect(parsed.subject).toMatch(new RegExp(`^See ${url}[0-9a-z]{26}\\.[0-9a-z]{26}$`));
  expect(parsed.html).toMatch(new RegExp(`href="${url}[0-9a-z.]{53}"`));
  expect(parsed.text).toContain(url);
  const shown = (await app.api().get(`/v1/emails/${body.data.results[0].id}`).expect(200)).body.data;
  expect(shown.body).toContain(`${url}…`);
});

test('a draft without a postal address is told so before it is sent, and not once there is an address', async () => {
  const draft = { name: 'News', subject: 'News', body: '<p>News</p>', fromEmail: 'team@hello.test' };
  const { campaignId } = (await app.api().post('/v1/campaigns').send(draft).expect(201)).body.data;
  const warnings = async () => (await app.api().get(`/v1/campaigns/${campaignId}`).expect(200)).body.data.warnings;
  expect(await warnings()).toEqual([{ code: 'no_postal_address', message: expect.stringContaining('brand.address') }]);
  await settings({ brand: { address: BRAND.address } });
  expect(await warnings()).toEqual([]);
  await settings({ brand: null });
  await app.api().post(`/v1/campaigns/${campaignId}/send`).expect(200);
  expect(await warnings()).toEqual([]);
});

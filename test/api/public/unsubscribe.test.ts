import request from 'supertest';
import type { Response, Test } from 'supertest';
import type { Email } from '../../../src/records/emails/model';
import { newId } from '../../../src/platform/core/ids';
import { inTransaction } from '../../../src/platform/mongo/transaction';
import { suppress } from '../../../src/records/suppressions/service';
import { aProject } from '../../support/platform/app';
import { storeEmail } from '../../support/data/email-rows';
import { publicUrls } from '../../support/calls/public-urls';
import { stored } from '../../support/data/stored';
import { freshAddress, storeContacts, contactIdOf, aReader } from '../../support/data/people';
import type { Reader } from '../../support/data/people';
import { theProjectOf } from '../../support/data/projects';

const ONE_CLICK = 'List-Unsubscribe=One-Click';

const app = aProject();

beforeAll(async () => {
  await stored.projects.change(app.keys.projectId, { name: 'Ada & <b>Sons</b>' });
});
const project = theProjectOf(app);

const sent = (change: Partial<Email> = {}): Promise<Email> =>
  storeEmail(app.keys.projectId, { status: 'delivered', type: 'marketing', to: freshAddress(), ...change });
/** A marketing message to a subscribed contact. */
const received = (change: Partial<Email> = {}): Promise<Reader> => aReader(app.keys.projectId, change);

const pathOf = ({ _id }: Pick<Email, '_id'>): string => publicUrls(app.core, _id).unsubscribeUrl.slice(app.core.config.PUBLIC_URL.length);
const web = (method: 'get' | 'head' | 'post' | 'put', path: string): Test =>
  request(app.url)[method](path).redirects(0).set('Accept', 'text/html,*/*;q=0.8');
const press = (email: Email): Test => web('post', pathOf(email)).type('form').send('');
const oneClick = (email: Email): Test => web('post', pathOf(email)).type('form').send(ONE_CLICK);

const suppressionOf = ({ to }: Email) => stored.suppressions.one({ projectId: app.keys.projectId, email: to });
const contactOf = (contactId: string) => stored.contacts.one(contactId);

async function emitted(email: Email): Promise<string[]> {
  const contactId = await contactIdOf(app.keys.projectId, email.to);
  const events = await stored.events.all({ $or: [{ emailId: email._id }, { contactId }] });
  return events.map(({ name }) => name).sort();
}

const BOTH = ['contact.unsubscribed', 'email.unsubscribed'];

async function expectUntouched(email: Email, contactId: string): Promise<void> {
  expect(await contactOf(contactId)).toMatchObject({ subscribed: true, optedOutAt: null });
  expect(await suppressionOf(email)).toBeNull();
  expect(await emitted(email)).toEqual([]);
}

describe('the page', () => {
  let page: Response;
  let email: Email;
  beforeAll(async () => {
    email = await sent();
    page = await web('get', pathOf(email)).expect(200);
  });

  test('asks with a button, and names the sender, escaped, and no address', () => {
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<form method="post"><button type="submit">Unsubscribe</button></form>');
    expect(page.text).toContain('<h1>Unsubscribe from Ada &amp; &lt;b&gt;Sons&lt;/b&gt;?</h1>');
    expect(page.text).not.toContain('<b>');
    expect(page.text).not.toContain(email.to);
    expect(page.text).toContain('<html lang="en">');
  });

  test('lets nothing in from outside', () => {
    expect(page.text).not.toMatch(/<script|\ssrc=|\shref=|url\(|@import/i);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store, private',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers['set-cookie']).toBeUndefined();
  });

  test.each(['get', 'head'] as const)('is asked for by %s without any effect', async (method) => {
    const { email: mail, contactId } = await received();
    expect((await web(method, `${pathOf(mail)}?${ONE_CLICK}`)).status).toBe(200);
    await expectUntouched(mail, contactId);
  });
});

describe.each([
  ['the button', 'link', press],
  ['one click, urlencoded', 'one_click', oneClick],
  ['one click, multipart', 'one_click', (email: Email) => web('post', pathOf(email)).field('List-Unsubscribe', 'One-Click')],
  ['one click without a media type', 'one_click', (email: Email) => web('post', pathOf(email)).set('Content-Type', '').send(ONE_CLICK)],
  ['a POST without a body', 'link', (email: Email) => web('post', pathOf(email))],
  ['a POST of another kind', 'link', (email: Email) => web('post', pathOf(email)).send({ 'List-Unsubscribe': 'One-Click' })],
  ['damaged multipart', 'link', (email: Email) => web('post', pathOf(email)).type('multipart/form-data; boundary=x').send('--y\r\n')],
] as const)('%s', (_what, source, post) => {
  test('unsubscribes at once, and once', async () => {
    const { email, contactId } = await received();
    const answer = await post(email).expect(200);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['cache-control']).toBe('no-store, private');
    expect(answer.text).toContain('You are unsubscribed');
    expect(answer.text).not.toContain(email.to);

    const contact = await contactOf(contactId);
    expect(contact).toMatchObject({ subscribed: false, optedOutAt: expect.any(Date) });
    const suppression = await suppressionOf(email);
    expect(suppression).toMatchObject({ reason: 'unsubscribe', source });
    expect(await emitted(email)).toEqual(BOTH);
    expect(await stored.events.one({ emailId: email._id })).toMatchObject({
      name: 'email.unsubscribed',
      contactId,
      testMode: false,
      data: { source: 'transactional', method: source, first: true },
    });

    await post(email).expect(200);
    await oneClick(email).expect(200);
    expect(await contactOf(contactId)).toEqual(contact);
    expect(await suppressionOf(email)).toEqual(suppression);
    expect(await emitted(email)).toEqual(BOTH);
  });
});

describe('an opt-out', () => {
  test.each([
    ['/v1/contacts', (email: string) => ({ email })],
    ['/v1/events', (email: string) => ({ name: 'visited', email })],
    ['/v1/send', (to: string) => ({ to, from: 'hello@hello.test', subject: 'Hello', text: 'Hello' })],
  ])('reaches the contact that %s makes at the same time', async (path, body) => {
    for (let round = 0; round < 10; round++) {
      const email = await sent();
      const make = app.api(app.keys.test).post(path).send(body(email.to));
      const [left, made] = await Promise.all([oneClick(email), make]);
      expect([left.status, made.status < 300]).toEqual([200, true]);
      expect(await contactOf(await contactIdOf(app.keys.projectId, email.to))).toMatchObject({
        subscribed: false,
        optedOutAt: expect.any(Date),
      });
      expect(await suppressionOf(email)).toMatchObject({ reason: 'unsubscribe' });
    }
  });

  test('happens once, however many requests race', async () => {
    const { email } = await received();
    const answers = await Promise.all(Array.from({ length: 40 }, (_value, index) => (index % 2 ? press(email) : oneClick(email))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await emitted(email)).toEqual(BOTH);
    expect(await stored.suppressions.count({ email: email.to })).toBe(1);
  });

  test('holds for an address without a contact', async () => {
    const email = await sent();
    await oneClick(email).expect(200);
    await oneClick(email).expect(200);
    expect(await suppressionOf(email)).toMatchObject({ reason: 'unsubscribe', source: 'one_click' });
    expect(await emitted(email)).toEqual(['email.unsubscribed']);
  });

  test('is kept behind a reason that blocks, and emitted', async () => {
    const email = await sent();
    await inTransaction((session) => suppress(session, project, { email: email.to, reason: 'manual', source: 'api', at: new Date() }));
    await press(email).expect(200);
    await press(email).expect(200);
    expect(await suppressionOf(email)).toMatchObject({ reason: 'manual', hiddenOptOut: { source: 'link' } });
    expect(await emitted(email)).toEqual(['contact.suppressed', 'email.unsubscribed']);
  });

  test('completes one that was made elsewhere, and emits what is new only', async () => {
    const email = await sent();
    const [contactId = ''] = await storeContacts(app.keys.projectId, [[email.to, { subscribed: false }]]);
    await press(email).expect(200);
    expect(await contactOf(contactId)).toMatchObject({ subscribed: false, optedOutAt: expect.any(Date) });
    expect(await emitted(email)).toEqual(['email.unsubscribed']);
  });

  test('can be repeated after the contact subscribed again', async () => {
    const { email, contactId } = await received();
    await press(email).expect(200);
    await stored.contacts.change(contactId, { subscribed: true, optedOutAt: null });
    await stored.suppressions.remove({ email: email.to });
    await press(email).expect(200);
    expect(await contactOf(contactId)).toMatchObject({ subscribed: false });
    expect(await emitted(email)).toEqual([...BOTH, ...BOTH].sort());
  });

  test('by a test message reaches the contact in test mode, and no suppression', async () => {
    const { email, contactId } = await received({ testMode: true, status: 'sent' });
    await press(email).expect(200);
    expect(await contactOf(contactId)).toMatchObject({ subscribed: false });
    expect(await suppressionOf(email)).toBeNull();
    const events = await stored.events.all({ contactId });
    expect(events.map(({ testMode, data }) => [testMode, data?.['testMode']])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  test('by a message to the simulator adds no suppression', async () => {
    const { email } = await received({ to: `delivered+1@simulator.${app.core.config.PLATFORM_DOMAIN}` });
    await press(email).expect(200);
    expect(await suppressionOf(email)).toBeNull();
    expect(await emitted(email)).toEqual(BOTH);
  });
});

describe('what is refused', () => {
  test('a body over 1 KiB, with a page and without effect', async () => {
    const { email, contactId } = await received();
    await web('post', pathOf(email))
      .type('form')
      .send(`${ONE_CLICK}&x=${'y'.repeat(1_024 - ONE_CLICK.length - 3)}`)
      .expect(200);
    const { email: other, contactId: otherContact } = await received();
    const { text } = await web('post', pathOf(other))
      .type('form')
      .send(`${ONE_CLICK}&x=${'y'.repeat(1_024)}`)
      .expect(413);
    expect(text).toContain('<h1>');
    await expectUntouched(other, otherContact);
    expect(await contactOf(contactId)).toMatchObject({ subscribed: false });
  });

  test('another method, with what there is', async () => {
    const { email, contactId } = await received();
    const { headers } = await web('put', pathOf(email)).expect(405);
    expect(headers.allow).toBe('GET, POST, HEAD');
    await expectUntouched(email, contactId);
  });

  test('a message that is gone', async () => {
    const gone = { _id: newId('em') };
    await web('get', pathOf(gone)).expect(404);
    const { text } = await web('post', pathOf(gone)).expect(404);
    expect(text).toContain('This link is not valid');
    const { body } = await web('get', pathOf(gone)).set('Accept', '*/*').expect(404);
    expect(body).toMatchObject({ success: false, code: 'not_found' });
  });
});

import request from 'supertest';
import { erasedAddress } from '../../../src/platform/addresses';
import { aProject } from '../../support/platform/app';
import { publicUrls } from '../../support/calls/public-urls';
import { aReader } from '../../support/data/people';
import type { Reader } from '../../support/data/people';
import { stored } from '../../support/data/stored';
import { formsOf, preferenceCalls } from '../../support/calls/preference-calls';

const app = aProject();
const { pathOf, page, post, filled } = preferenceCalls(() => app);

beforeAll(async () => {
  await stored.projects.change(app.keys.projectId, { name: 'Ada & Sons' });
});
afterEach(() => app.api().patch('/v1/settings').send({ brand: null }).expect(200));

const reader = (...[change, contact]: readonly [object?, (object | null)?]): Promise<Reader> =>
  aReader(app.keys.projectId, change, contact);
let keys = 0;
async function topic(change: object = {}): Promise<string> {
  const body = { key: `topic_${keys++}`, name: `Topic ${keys}`, defaultSubscription: 'in', visibility: 'public', ...change };
  return (await app.api().post('/v1/topics').send(body).expect(201)).body.data.topicId as string;
}
const contactOf = ({ contactId }: Reader) => stored.contacts.one(contactId);
const topicsOf = async ({ contactId }: Reader): Promise<Readonly<Record<string, boolean>>> => {
  const rows = (await app.api().get(`/v1/contacts/${contactId}/topics`).expect(200)).body.data.data as {
    topicId: string;
    subscribed: boolean;
  }[];
  return Object.fromEntries(rows.map(({ topicId, subscribed }) => [topicId, subscribed]));
};
const eventsOf = async ({ contactId, email }: Reader) =>
  (await stored.events.all({ $or: [{ emailId: email._id }, { contactId }] })).map(({ name, data }) => [name, data] as const);
const namesOf = async (who: Reader) => (await eventsOf(who)).map(([name]) => name).sort();
const save = async (who: Reader, change: Parameters<typeof filled>[1]) => post(who.email._id, filled(await page(who.email._id), change));

describe('the page', () => {
  test('shows the topics, a pause and the way out, and names the address in part', async () => {
    const who = await reader({ to: 'ada.lovelace@example.com' });
    const news = await topic({ name: 'News & more', description: 'Once a month' });
    const { status, text, headers } = await page(who.email._id);
    expect(status).toBe(200);
    expect(text).toContain('Choose what Ada &amp; Sons sends to a•••@example.com.');
    expect(text).not.toContain('ada.lovelace');
    expect(text).toContain(`value="${news}" checked><span>News &amp; more<small>Once a month</small></span></label>`);
    expect(text).toContain('Pause for 2 weeks');
    expect(text).toContain('name="action" value="off">Unsubscribe from everything</button>');
    expect(headers).toMatchObject({ 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(text).not.toMatch(/<script|\ssrc=|\shref=|url\(|@import/i);
  });

  test('changes nothing when it is read, however often', async () => {
    const who = await reader();
    const before = await contactOf(who);
    await page(who.email._id);
    await request(app.url).head(pathOf(who.email._id)).expect(200);
    expect(await contactOf(who)).toEqual(before);
    expect(await namesOf(who)).toEqual([]);
  });

  test.each([
    ['de-AT', 'E-Mail-Einstellungen', 'Neues'],
    ['fr', 'Préférences e-mail', 'News'],
    ['es', 'Preferencias de correo', 'News'],
    ['nl', 'E-mailvoorkeuren', 'News'],
    ['it', 'Preferenze e-mail', 'News'],
    ['pt-BR', 'Preferências de e-mail', 'Novidades'],
    ['pl', 'Ustawienia e-maili', 'News'],
    ['ja', 'Email preferences', 'News'],
  ])('is in the language of a contact with the locale %s', async (locale, title, name) => {
    await topic({ name: 'News', names: { de: 'Neues', 'pt-BR': 'Novidades' } });
    const { text } = await page((await reader({}, { locale })).email._id);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain(`<span>${name}</span>`);
  });

  test('has the brand: its name, logo, color and styles, and lets in nothing else', async () => {
    const brand = { name: 'Acme', logoUrl: 'https://cdn.example.com/a/logo.png', color: '#ffdd00', css: 'h1 { letter-spacing: 1px }' };
    await app.api().patch('/v1/settings').send({ brand }).expect(200);
    const { text, headers } = await page((await reader()).email._id);
    expect(text).toContain('Choose what Acme sends');
    expect(text).toContain('<img class="logo" src="https://cdn.example.com/a/logo.png" alt="Acme">');
    expect(text).toContain(':root { --brand: #ffdd00; --on-brand: #000; }\nh1 { letter-spacing: 1px }</style>');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+' 'sha256-[^']+'; img-src https:\/\/cdn\.example\.com; form-action/,
    );
  });

  test('is reached from the unsubscribe page, before and after', async () => {
    const { email } = await reader();
    const path = publicUrls(app.core, email._id).unsubscribeUrl.slice(app.core.config.PUBLIC_URL.length);
    const asked = await request(app.url).get(path).expect(200);
    const [, action = ''] = /<form method="get" action="([^"]+)">/.exec(asked.text) ?? [];
    expect(new URL(action, `http://mail.example${path}`).pathname).toBe(pathOf(email._id));
    expect((await request(app.url).post(path).set('Accept', 'text/html').expect(200)).text).toContain(action);
  });

  test('is not there for a token of another purpose, nor for a person who was erased', async () => {
    const { email, contactId } = await reader();
    const view = publicUrls(app.core, email._id).viewInBrowserUrl.split('/v/')[1] ?? '';
    await request(app.url).get(`/p/${view}`).expect(404);
    await stored.emails.change(email._id, { to: erasedAddress(contactId), erased: true });
    expect((await page(email._id)).status).toBe(404);
  });
});

describe('saving', () => {
  test('turns what was turned, says so, and has a way back that turns that alone', async () => {
    const [first, second] = [await topic(), await topic({ defaultSubscription: 'out' })];
    const who = await reader();
    const saved = await save(who, { turn: [first, second] });
    expect([saved.status, saved.text.includes('Your preferences are saved.')]).toEqual([200, true]);
    expect(await topicsOf(who)).toMatchObject({ [first]: false, [second]: true });
    expect((await eventsOf(who)).map(([name, data]) => [name, data?.['topicId'], data?.['source']])).toEqual(
      expect.arrayContaining([
        ['contact.topic_unsubscribed', first, 'preferences'],
        ['contact.topic_subscribed', second, 'preferences'],
      ]),
    );
    await save(who, { turn: [second] });
    await save(who, { turn: [second] });
    const third = await topic();
    await save(who, { turn: [third] });
    const undo = formsOf(saved).find(({ text }) => text.includes('Undo'));
    expect((await post(who.email._id, undo?.fields ?? [])).status).toBe(409);
    const again = await save(who, { turn: [first] });
    const back = formsOf(again).find(({ text }) => text.includes('Undo'));
    expect((await post(who.email._id, back?.fields ?? [])).status).toBe(200);
    expect(await topicsOf(who)).toMatchObject({ [first]: false, [second]: true, [third]: false });
  });

  test('two tabs do not undo each other', async () => {
    const [first, second] = [await topic(), await topic()];
    const who = await reader();
    const tabs = [await page(who.email._id), await page(who.email._id)] as const;
    expect((await post(who.email._id, filled(tabs[0], { turn: [first] }))).status).toBe(200);
    expect((await post(who.email._id, filled(tabs[1], { turn: [second] }))).status).toBe(200);
    expect(await topicsOf(who)).toMatchObject({ [first]: false, [second]: false });
  });

  test('a tab that changes what was changed since it was drawn is shown how it stands, and changes nothing', async () => {
    const first = await topic();
    const who = await reader();
    const old = await page(who.email._id);
    await save(who, { turn: [first] });
    await save(who, { turn: [first] });
    const late = await post(who.email._id, filled(old, { turn: [first] }));
    expect([late.status, late.text.includes('changed somewhere else in the meantime')]).toEqual([409, true]);
    expect(await topicsOf(who)).toMatchObject({ [first]: true });
  });

  test('a form that is sent twice is saved once', async () => {
    const first = await topic();
    const who = await reader();
    const form = filled(await page(who.email._id), { turn: [first] });
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(who.email._id, form)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await namesOf(who)).filter((name) => name === 'contact.topic_unsubscribed')).toHaveLength(1);
  });

  test('unticking everything is no opt-out, and an empty save lifts none', async () => {
    await topic();
    const who = await reader();
    const ticked = filled(await page(who.email._id)).flatMap(([name, value]) => (name === 'topic' ? [value] : []));
    await save(who, { turn: ticked });
    expect(await contactOf(who)).toMatchObject({ subscribed: true });
    expect(await stored.suppressions.one({ email: who.email.to })).toBeNull();
    await post(who.email._id, [['action', 'off']]);
    await save(who, {});
    await post(who.email._id, []).then(({ status }) => expect(status).toBe(422));
    expect(await contactOf(who)).toMatchObject({ subscribed: false });
  });

  test('a private topic is shown to who is in it and to who left it there; for others it does not exist', async () => {
    const [hidden, open] = [
      await topic({ visibility: 'private', defaultSubscription: 'out' }),
      await topic({ visibility: 'private', defaultSubscription: 'in' }),
    ];
    const who = await reader();
    const drawn = await page(who.email._id);
    expect([drawn.text.includes(hidden), drawn.text.includes(open)]).toEqual([false, true]);
    const forged = await post(who.email._id, [...filled(drawn), ['topic', hidden]]);
    expect(forged.status).toBe(422);
    expect(await topicsOf(who)).toMatchObject({ [hidden]: false });
    expect((await save(who, { turn: [open] })).text).toContain(open);
    await app
      .api()
      .patch(`/v1/contacts/${who.contactId}/topics`)
      .send({ topics: [{ topicId: open, subscribed: true }] })
      .expect(200);
    await app
      .api()
      .patch(`/v1/contacts/${who.contactId}/topics`)
      .send({ topics: [{ topicId: open, subscribed: false }] })
      .expect(200);
    expect((await page(who.email._id)).text).not.toContain(open);
  });

  test.each([
    [[['action', 'destroy']]],
    [[['version', 'nonsense!']]],
    [
      [
        ['version', 'pause:'],
        ['pause', '9y'],
      ],
    ],
    [
      [
        ['version', 'pause:'],
        ['pause', '2999-01-01T00:00:00.000Z'],
      ],
    ],
    [
      [
        ['version', 'pause:'],
        ['topic', 'tpc_unknown'],
      ],
    ],
    [
      [
        ['action', 'off'],
        ['reason', 'just because'],
      ],
    ],
  ] as [string, string][][][])('what no form of the page sends is 422 and changes nothing: %j', async (fields) => {
    const who = await reader();
    expect((await post(who.email._id, fields)).status).toBe(422);
    expect(await namesOf(who)).toEqual([]);
  });
});

describe('everything off', () => {
  test('is said to be done for a person who was erased after the page was drawn', async () => {
    const { email, contactId } = await reader();
    await stored.emails.change(email._id, { to: erasedAddress(contactId), erased: true });
    const off = await post(email._id, [['action', 'off']]);
    expect([off.status, off.text.includes('Ada &amp; Sons will no longer send you marketing email.')]).toEqual([200, true]);
  });

  test('is an opt-out with the reason that was given, and the page has the way back, whichever message it is opened from', async () => {
    const who = await reader();
    const off = await post(who.email._id, [
      ['action', 'off'],
      ['reason', 'too_many'],
    ]);
    expect(off.text).toContain('Ada &amp; Sons will no longer send you marketing email.');
    expect(await contactOf(who)).toMatchObject({ subscribed: false });
    expect(Object.fromEntries(await eventsOf(who))['email.unsubscribed']).toMatchObject({ method: 'link', reason: 'too_many' });
    const other = await aReader(app.keys.projectId, { to: who.email.to }, null);
    expect((await page(other.email._id)).text).toContain('name="action" value="on">Subscribe again</button>');
    const on = await post(other.email._id, [['action', 'on']]);
    expect([on.status, on.text.includes('can send you marketing email again')]).toEqual([200, true]);
    expect(await contactOf(who)).toMatchObject({ subscribed: true, optedOutAt: null });
    expect(await stored.suppressions.one({ email: who.email.to })).toBeNull();
  });

  test('cannot be taken back here where it was no act of the person', async () => {
    const who = await reader();
    await app.api().post('/v1/suppressions').send({ email: who.email.to, reason: 'manual' }).expect(201);
    const { text } = await page(who.email._id);
    expect(text).not.toContain('value="on"');
    expect(text).toContain('To receive email again, contact Ada &amp; Sons.');
    expect((await post(who.email._id, [['action', 'on']])).status).toBe(409);
  });

  test('works for a recipient who is no contact, who cannot pause', async () => {
    const who = await reader({}, null);
    expect((await page(who.email._id)).text).not.toContain('name="pause"');
    expect((await post(who.email._id, [['action', 'off']])).status).toBe(200);
    expect(await stored.suppressions.one({ email: who.email.to })).toMatchObject({ reason: 'unsubscribe', source: 'link' });
  });
});

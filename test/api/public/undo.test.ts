import request from 'supertest';
import type { Test } from 'supertest';
import type { Contact } from '../../../src/audience/contacts/model';
import type { Email } from '../../../src/records/emails/model';
import { erasedAddress } from '../../../src/platform/addresses';
import { aProject } from '../../support/platform/app';
import { publicUrls } from '../../support/calls/public-urls';
import { stored } from '../../support/data/stored';
import { aReader } from '../../support/data/people';
import type { Reader } from '../../support/data/people';

const app = aProject();

beforeAll(async () => {
  await stored.projects.change(app.keys.projectId, { name: 'Ada & Söhne' });
});

interface Undoing extends Reader {
  readonly path: string;
}

/** The recipient of a marketing message. */
async function reader(contact: Partial<Contact> | null = {}, change: Partial<Email> = {}): Promise<Undoing> {
  const who = await aReader(app.keys.projectId, change, contact);
  return { ...who, path: publicUrls(app.core, who.email._id).unsubscribeUrl.slice(app.core.config.PUBLIC_URL.length) };
}

const html = (call: Test): Test => call.set('Accept', 'text/html,*/*;q=0.8');
const optOut = ({ path }: Undoing): Test => html(request(app.url).post(path));
const undo = ({ path }: Undoing): Test => html(request(app.url).post(`${path}/undo`));
const suppressionOf = ({ email }: Undoing) => stored.suppressions.one({ projectId: app.keys.projectId, email: email.to });
const contactOf = ({ contactId }: Undoing) => stored.contacts.one(contactId);
const eventsOf = ({ email }: Undoing) => stored.events.all({ emailId: email._id, name: 'contact.subscribed' });

describe('undo', () => {
  test('is a button on the page that follows the opt-out', async () => {
    const who = await reader();
    const { text, headers } = await optOut(who).expect(200);
    const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(text) ?? [];
    expect(new URL(action, `http://mail.example${who.path}`).pathname).toBe(`${who.path}/undo`);
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(text).toContain('Ada &amp; Söhne will no longer send you marketing email.');
  });

  test('brings contact and suppression back to where they were, with one event that says through which message', async () => {
    const who = await reader();
    await optOut(who).expect(200);
    const { text } = await undo(who).expect(200);
    expect(text).toContain('<h1>You are subscribed again</h1>');
    expect(await contactOf(who)).toMatchObject({ subscribed: true, optedOutAt: null });
    expect(await suppressionOf(who)).toBeNull();
    await undo(who).expect(200);
    expect(await eventsOf(who)).toMatchObject([{ contactId: who.contactId, testMode: false, data: { source: 'link' } }]);
    const sent = await app.api(app.keys.test).post('/v1/send').send({
      to: who.email.to,
      from: 'a@example.com',
      type: 'marketing',
      subject: 'News',
      text: 'News',
    });
    expect(sent.body.data.results).toMatchObject([{ status: 'sent' }]);
    await optOut(who).expect(200);
    expect(await contactOf(who)).toMatchObject({ subscribed: false });
  });

  test('happens once, however many requests race', async () => {
    const who = await reader();
    await optOut(who).expect(200);
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(who)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await eventsOf(who)).toHaveLength(1);
  });

  test('holds for an address without a contact', async () => {
    const who = await reader(null);
    await optOut(who).expect(200);
    await undo(who).expect(200);
    expect(await suppressionOf(who)).toBeNull();
    expect(await eventsOf(who)).toMatchObject([{ contactId: null }]);
  });

  test('of nothing changes nothing', async () => {
    const who = await reader();
    const before = await contactOf(who);
    await undo(who).expect(200);
    expect(await contactOf(who)).toEqual(before);
    expect(await eventsOf(who)).toEqual([]);
  });

  test.each(['complaint', 'hard_bounce', 'manual'])('leaves an address alone that is suppressed for %s', async (reason) => {
    const who = await reader();
    await optOut(who).expect(200);
    await stored.suppressions.change({ email: who.email.to }, { reason, hiddenOptOut: { source: 'link', createdAt: new Date() } });
    const { text } = await undo(who).expect(409);
    expect(text).toContain('You cannot undo this here');
    expect(await contactOf(who)).toMatchObject({ subscribed: false });
    expect(await suppressionOf(who)).toMatchObject({ reason });
    expect(await eventsOf(who)).toEqual([]);
  });

  test.each<readonly [what: string, since: number, status: number]>([
    ['29 days', 29, 200],
    ['31 days', 31, 409],
  ])('after %s', async (_what, days, status) => {
    const who = await reader();
    await optOut(who).expect(200);
    const at = new Date(Date.now() - days * 86_400_000);
    await stored.suppressions.change({ email: who.email.to }, { optOutLink: { emailId: who.email._id, at } });
    await undo(who).expect(status);
    expect(await contactOf(who)).toMatchObject({ subscribed: status === 200 });
  });

  test('is refused to another message of the same person, also after it opted out once more', async () => {
    const who = await reader();
    const other = await reader(null, { to: who.email.to });
    await optOut(who).expect(200);
    await undo(other).expect(409);
    await optOut(other).expect(200);
    await undo(other).expect(409);
    expect(await contactOf(who)).toMatchObject({ subscribed: false });
    expect(await eventsOf(other)).toEqual([]);
    await undo(who).expect(200);
  });

  test('is refused to a test message, whoever opted out', async () => {
    const who = await reader();
    const test = await reader(null, { to: who.email.to, testMode: true, status: 'sent' });
    for (const way of [who, test]) {
      await optOut(way).expect(200);
      await undo(test).expect(409);
      expect(await contactOf(who)).toMatchObject({ subscribed: false });
    }
    expect(await eventsOf(test)).toEqual([]);
  });

  test('is refused where the person was not subscribed before, with or without an opt-out by the message', async () => {
    const who = await reader({ subscribed: false });
    await undo(who).expect(409);
    await optOut(who).expect(200);
    await undo(who).expect(409);
    expect(await contactOf(who)).toMatchObject({ subscribed: false });
    expect(await suppressionOf(who)).toMatchObject({ reason: 'unsubscribe', optOutLink: null });
    expect(await eventsOf(who)).toEqual([]);
  });

  test('is refused where the opt-out came by the API, before or after the message', async () => {
    const who = await reader();
    await app.api().post('/v1/suppressions').send({ email: who.email.to, reason: 'unsubscribe' }).expect(201);
    await optOut(who).expect(200);
    await undo(who).expect(409);
    await app.api().post('/v1/contacts').send({ email: who.email.to, subscribed: true }).expect(200);
    await optOut(who).expect(200);
    await app.api().post('/v1/contacts').send({ email: who.email.to, subscribed: true }).expect(200);
    await app.api().post('/v1/contacts').send({ email: who.email.to, subscribed: false }).expect(200);
    await undo(who).expect(409);
    expect(await contactOf(who)).toMatchObject({ subscribed: false });
  });

  test('is there again once a reason that hid the opt-out is lifted', async () => {
    const who = await reader();
    await app.api().post('/v1/suppressions').send({ email: who.email.to }).expect(201);
    await optOut(who).expect(200);
    await undo(who).expect(409);
    await app.api().delete(`/v1/suppressions/${who.email.to}`).expect(200);
    await undo(who).expect(200);
    expect(await contactOf(who)).toMatchObject({ subscribed: true });
  });

  test('does not bring back an address of an erased person', async () => {
    const who = await reader();
    await optOut(who).expect(200);
    const erased = erasedAddress(who.contactId);
    await stored.emails.change(who.email._id, { to: erased });
    await stored.suppressions.change({ email: who.email.to }, { email: erased });
    await undo(who).expect(409);
    expect(await stored.suppressions.count({ email: erased })).toBe(1);
  });

  test('is never done by opening a page, and not without the token', async () => {
    const who = await reader();
    await optOut(who).expect(200);
    const { headers } = await html(request(app.url).get(`${who.path}/undo`)).expect(405);
    expect(headers['allow']).toBe('POST');
    await html(request(app.url).post(`${who.path.slice(0, -1)}/undo`)).expect(404);
    const view = publicUrls(app.core, who.email._id).viewInBrowserUrl.slice(app.core.config.PUBLIC_URL.length);
    await html(request(app.url).post(`${view.replace('/v/', '/u/')}/undo`)).expect(404);
    expect(await contactOf(who)).toMatchObject({ subscribed: false });
  });
});

describe('the language', () => {
  const ASKED: Readonly<Record<string, string>> = {
    en: 'Unsubscribe from Ada &amp; Söhne?',
    de: 'Von Ada &amp; Söhne abmelden?',
    fr: 'Se désabonner de Ada &amp; Söhne\u00A0?',
    es: '¿Darse de baja de Ada &amp; Söhne?',
    nl: 'Afmelden bij Ada &amp; Söhne?',
    it: 'Annullare l’iscrizione a Ada &amp; Söhne?',
    pt: 'Cancelar a inscrição em Ada &amp; Söhne?',
    pl: 'Zrezygnować z wiadomości od Ada &amp; Söhne?',
  };

  const pageOf = async ({ path }: Undoing, asked = ''): Promise<string> => {
    const { text } = await html(request(app.url).get(path)).set('Accept-Language', asked).expect(200);
    return text;
  };

  test.each<readonly [locale: string | null, asked: string, language: string]>([
    ...Object.keys(ASKED).map((language) => [language, '', language] as const),
    ['de-AT', 'fr', 'de'],
    ['pt-BR', '', 'pt'],
    ['FR-ca', '', 'fr'],
    ['nl-Latn-BE', '', 'nl'],
    ['ja', '', 'en'],
    [null, '', 'en'],
    [null, 'fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    [null, 'ja, pl;q=0.5', 'pl'],
    [null, 'ja', 'en'],
  ])('of a contact with %s in a browser with "%s" is %s', async (locale, asked, language) => {
    const text = await pageOf(await reader({ locale }), asked);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`<h1>${ASKED[language]}</h1>`);
  });

  test('is the same on the pages that follow', async () => {
    const who = await reader({ locale: 'de' });
    expect((await optOut(who)).text).toMatch(/<html lang="de">[\s\S]*Sie sind abgemeldet[\s\S]*Wieder anmelden<\/button>/);
    expect((await undo(who)).text).toMatch(/<html lang="de">[\s\S]*Sie sind wieder angemeldet/);
  });

  test('of a link that is not valid is the browser’s', async () => {
    const { text } = await html(request(app.url).get('/u/nonsense')).set('Accept-Language', 'es-MX').expect(404);
    expect(text).toContain('<html lang="es">');
    expect(text).toContain('Este enlace no es válido');
  });
});

import { simpleParser } from 'mailparser';
import type { ParsedMail } from 'mailparser';
import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { dkimVerifies } from '../../../support/checks/dkim-verifier';
import { onTheWireOf } from '../../../support/checks/wire';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_CONNECTIONS: '4', LEDGER_CHUNK: '8' },
}));
const host = aDeliveryHost(app);

beforeEach(() => Promise.all([stored.emails.remove(), stored.contacts.remove()]));

const { running, rows, act, get, draft, contact, api } = campaignCalls(() => app);
const { wholePage } = campaignPages(
  () => app,
  () => host,
);

const DE = { subject: 'Hallo', body: '<p>Hallo {{firstName | "du"}}</p>', fromName: 'Das Team', previewText: 'Neu' };
const AR = { subject: 'مرحبا', body: '<html><body><p>مرحبا</p></body></html>' };
const CONTENT = { fromName: 'The team', previewText: 'New', variants: { de: DE, ar: AR } };

/** The mail since some earlier one, by recipient. */
async function mailSince(before: number): Promise<ReadonlyMap<string, ParsedMail>> {
  const messages = smtp.messages.slice(before);
  return new Map(await Promise.all(messages.map(async ({ to, raw }) => [to, await simpleParser(raw)] as const)));
}

interface Recipient {
  readonly email: string;
  readonly contactId: string;
  readonly language: string | null;
  readonly contentVersion: number | null;
}

const recipientsOf = async (id: string): Promise<readonly Recipient[]> =>
  (await api().get(`/v1/campaigns/${id}/recipients`).query({ limit: 100 }).expect(200)).body.data.data as Recipient[];

const localesOf = async (locales: Readonly<Record<string, string | null>>): Promise<void> => {
  for (const [name, locale] of Object.entries(locales)) await contact(`${name}@example.com`, { locale });
};

test('each recipient gets the language of the contact, within the same page', async () => {
  await localesOf({ wien: 'de-AT', bern: 'de-CH', kairo: 'ar-EG', paris: 'fr', nowhere: null });
  const before = smtp.messages.length;
  const id = await running(0, CONTENT);
  await wholePage(id);
  const mail = await mailSince(before);
  const shown = ['wien', 'bern', 'kairo', 'paris', 'nowhere'].map((name) => {
    const one = mail.get(`${name}@example.com`);
    return [one?.subject, one?.headers.get('content-language'), one?.from?.value[0]?.name];
  });
  expect(shown).toEqual([
    ['Hallo', 'de', 'Das Team'],
    ['Hallo', 'de', 'Das Team'],
    ['مرحبا', 'ar', 'The team'],
    ['Hello', undefined, 'The team'],
    ['Hello', undefined, 'The team'],
  ]);
  expect(mail.get('kairo@example.com')?.html).toContain('<html dir="rtl" lang="ar">');
  expect(mail.get('wien@example.com')?.html).toContain('Abmelden');
  for (const { raw } of smtp.messages.slice(before)) expect(await dkimVerifies(raw)).toBe(true);
  const recipients = await recipientsOf(id);
  expect(Object.fromEntries(recipients.map(({ email, language }) => [email.split('@')[0], language]))).toEqual({
    wien: 'de',
    bern: 'de',
    kairo: 'ar',
    paris: null,
    nowhere: null,
  });
  const emails = await stored.emails.all({ campaignId: id });
  expect(emails.map(({ fromName }) => fromName).sort()).toEqual(['Das Team', 'Das Team', 'The team', 'The team', 'The team']);
  const wien = recipients.find(({ email }) => email === 'wien@example.com');
  const why = await api().get(`/v1/contacts/${wien?.contactId}/why`).query({ campaignId: id }).expect(200);
  expect(why.body.data.language).toBe('de');
});

test('a locale that changes after the freeze counts', async () => {
  await localesOf({ moved: 'en' });
  const before = smtp.messages.length;
  const id = await running(0, CONTENT);
  await contact('moved@example.com', { locale: 'de' });
  await wholePage(id);
  expect((await mailSince(before)).get('moved@example.com')?.subject).toBe('Hallo');
});

describe('an A/B test', () => {
  const AB = { abSubjectB: 'Hello again', abSamplePct: 100 };

  test('compares its subjects within each language', async () => {
    for (let index = 0; index < 6; index++) await localesOf({ [`de${index}`]: 'de', [`en${index}`]: 'en', [`ar${index}`]: 'ar' });
    const variants = { de: { ...DE, abSubjectB: 'Nochmals hallo' }, ar: { ...AR, abSubjectB: 'مرحبا مرة أخرى' } };
    const before = smtp.messages.length;
    const id = await running(0, { ...CONTENT, ...AB, variants });
    const sampled = (await rows(id)).map(({ email, variant }) => `${email.slice(0, 2)} ${variant}`);
    for (const group of ['de a', 'de b', 'en a', 'en b', 'ar a', 'ar b']) expect(sampled.filter((one) => one === group)).toHaveLength(3);
    await wholePage(id);
    const subjects = [...(await mailSince(before)).values()].map(({ subject }) => subject);
    for (const subject of ['Hello', 'Hello again', 'Hallo', 'Nochmals hallo', 'مرحبا', 'مرحبا مرة أخرى']) {
      expect(subjects.filter((one) => one === subject)).toHaveLength(3);
    }
    expect((await get(id))['bySubject']).toMatchObject({ a: { sent: 9 }, b: { sent: 9 } });
  });

  test('is not launched while a language lacks the second subject', async () => {
    const { campaignId } = await draft({ ...CONTENT, ...AB });
    const { body } = await act(campaignId, 'send').expect(422);
    expect(faultsOf(body)).toEqual([['variants.de.abSubjectB', 'invalid_combination']]);
  });
});

test('a correction changes the languages that it names for those who are still waiting', async () => {
  await localesOf({ wien: 'de-AT', kairo: 'ar', paris: 'fr' });
  const before = smtp.messages.length;
  const id = await running(0, CONTENT);
  await act(id, 'pause').expect(200);
  const fr = { subject: 'Bonjour', body: '<p>Bonjour</p>', fromName: 'L’équipe' };
  const servus = { ...DE, subject: 'Servus', bodyBlocks: { version: 1, blocks: [] } };
  await act(id, 'revise', { variants: { de: servus, fr } }).expect(200);
  await act(id, 'revise', { variants: { ar: null } }).expect(200);
  expect((await get(id))['variants']).toEqual({ de: servus, fr });
  await act(id, 'resume').expect(200);
  await wholePage(id);
  const mail = await mailSince(before);
  expect(['wien', 'kairo', 'paris'].map((name) => mail.get(`${name}@example.com`)?.subject)).toEqual(['Servus', 'Hello', 'Bonjour']);
  expect(mail.get('paris@example.com')?.from?.value[0]?.name).toBe('L’équipe');
  expect((await recipientsOf(id)).map(({ email, language, contentVersion }) => [email, language, contentVersion]).sort()).toEqual([
    ['kairo@example.com', null, 3],
    ['paris@example.com', 'fr', 3],
    ['wien@example.com', 'de', 3],
  ]);
  expect((await get(id))['byVersion']).toMatchObject([{ sent: 0 }, { sent: 0 }, { sent: 3 }]);
});

test('a copy has the languages, a draft can lose them, and a fault names its place', async () => {
  const { campaignId } = await draft(CONTENT);
  const copy = (await act(campaignId, 'duplicate').expect(201)).body.data;
  expect(copy.variants).toEqual(CONTENT.variants);
  expect((await get(campaignId))['variants']).toEqual(CONTENT.variants);
  const patch = (variants: object | null) => api().patch(`/v1/campaigns/${campaignId}`).send({ variants }).expect(200);
  const fr = { subject: 'Bonjour', body: '<p>Bonjour</p>' };
  await Promise.all([patch({ de: { ...DE, subject: 'Servus' } }), patch({ fr, ar: null })]);
  expect((await get(campaignId))['variants']).toEqual({ de: { ...DE, subject: 'Servus' }, fr });
  const { body } = await patch(null);
  expect(body.data).not.toHaveProperty('variants');
  const bad = await api()
    .patch(`/v1/campaigns/${campaignId}`)
    .send({ variants: { de: { ...DE, abSubjectB: '{{#if x}}' } } })
    .expect(422);
  expect(faultsOf(bad.body)).toEqual([['variants.de.abSubjectB', 'invalid_template']]);
});

test('a test send goes out in every language at once', async () => {
  const { campaignId } = await draft(CONTENT);
  const { body } = await act(campaignId, 'test-send', { to: 'me@example.com', language: 'all' }).expect(200);
  const sent = body.data.languages as { language: string | null; id: string }[];
  const mail = await Promise.all(sent.map(async ({ id }) => (await onTheWireOf(app, id)).parsed));
  expect(sent.map(({ language }, at) => [language, mail[at]?.subject, mail[at]?.from?.value[0]?.name])).toEqual([
    [null, '[Test] Hello', 'The team'],
    ['de', '[Test] Hallo', 'Das Team'],
    ['ar', '[Test] مرحبا', 'The team'],
  ]);
});

test('a test send has the second subject of an A/B test where that is asked for, in its language', async () => {
  const { campaignId } = await draft({
    subject: 'Hello',
    abSubjectB: 'Hi',
    variants: { de: { subject: 'Hallo', abSubjectB: 'Hi du', body: '<p>Hallo</p>' }, ar: { subject: 'مرحبا', body: '<p>مرحبا</p>' } },
  });
  const { body } = await act(campaignId, 'test-send', { to: 'me@example.com', language: 'all', abSubject: 'b' }).expect(200);
  const sent = body.data.languages as { id: string }[];
  const subjects = await Promise.all(
    sent.map(async ({ id }) => (await api().get(`/v1/emails/${id}`).expect(200)).body.data.subject as string),
  );
  expect(subjects).toEqual(['[Test] Hi', '[Test] Hi du', '[Test] مرحبا']);
  const { campaignId: plain } = await draft();
  const refused = await act(plain, 'test-send', { to: 'me@example.com', abSubject: 'b' }).expect(422);
  expect(faultsOf(refused.body)).toEqual([['abSubject', 'invalid_combination']]);
});

test('the coverage says who gets which language, and what a language lacks', async () => {
  await localesOf({ wien: 'de-AT', bern: 'de-CH', kairo: 'ar', paris: 'fr', nowhere: null });
  const { campaignId } = await draft(CONTENT);
  const { body } = await api().get(`/v1/campaigns/${campaignId}/coverage`).expect(200);
  expect(body.data).toMatchObject({
    campaignId,
    recipients: 5,
    languages: [
      { language: null, recipients: 2, share: 0.4, missing: [] },
      { language: 'de', recipients: 2, share: 0.4, missing: [] },
      { language: 'ar', recipients: 1, share: 0.2, missing: ['previewText'] },
    ],
  });
  expect(body.data.locales).toHaveLength(5);
  expect(body.data.locales).toContainEqual({ locale: 'de-AT', recipients: 1, language: 'de' });
  const { checks } = (await api().get(`/v1/campaigns/${campaignId}/preflight`).expect(200)).body.data as { checks: { check: string }[] };
  expect(checks.find(({ check }) => check === 'languages')).toMatchObject({ level: 'warn', detail: 'ar: previewText' });
  await act(campaignId, 'send').expect(200);
  await api().get(`/v1/campaigns/${campaignId}/coverage`).expect(409);
});

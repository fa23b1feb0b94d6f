import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { parsesDuring, turnsDuring } from '../../../support/checks/counted';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { TranslationsModel } from '../../../../src/sending/translations/model';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_CONNECTIONS: '4', LEDGER_CHUNK: '8' },
}));
const host = aDeliveryHost(app);

beforeEach(() => Promise.all([stored.emails.remove(), stored.contacts.remove()]));

const { running, act, draft, contact, api } = campaignCalls(() => app);
const { wholePage } = campaignPages(
  () => app,
  () => host,
);

const put = (translations: object) => api().put('/v1/translations').send({ translations }).expect(200);
const GREETING = { greeting: { default: 'Hello', de: 'Hallo', 'de-AT': 'Servus' } };
const CONTENT = { subject: '{{t "greeting"}}', body: '<p>{{t "greeting"}}</p>', previewText: '{{t "greeting"}} you' };

test('a campaign reads the strings of each recipient, as they were at the launch, and no message reads them again', async () => {
  await put(GREETING);
  for (const [name, locale] of [
    ['wien', 'de-AT'],
    ['bern', 'de-CH'],
    ['york', 'en'],
  ] as const)
    await contact(`${name}@example.com`, { locale });
  const before = smtp.messages.length;
  const id = await running(0, CONTENT);
  await put({ greeting: { default: 'Changed' } });
  const reads = jest.spyOn(TranslationsModel, 'findById');
  await wholePage(id);
  expect(reads).not.toHaveBeenCalled();
  reads.mockRestore();
  const subjects = smtp.messages.slice(before).map(({ to, raw }) => [to.split('@')[0], /^Subject: (.+?)\r$/m.exec(String(raw))?.[1]]);
  const wien = smtp.messages.slice(before).find(({ to }) => to.startsWith('wien'));
  expect(String(wien?.raw)).toContain('Servus you');
  expect(Object.fromEntries(subjects)).toEqual({ wien: 'Servus', bern: 'Hallo', york: 'Hello' });
});

test('a key that does not exist is found by the preflight and the coverage, and stops the launch', async () => {
  await put(GREETING);
  await contact('ada@example.com', { locale: 'fr' });
  const variants = { fr: { subject: '{{t "greeting"}}', body: '<p>{{t "bye"}}</p>' } };
  const { campaignId } = await draft({ ...CONTENT, body: '<p>{{t "greeting"}}, {{t "bye" | "Bye"}}</p>', variants });
  const { checks } = (await api().get(`/v1/campaigns/${campaignId}/preflight`).expect(200)).body.data as { checks: { check: string }[] };
  expect(checks.find(({ check }) => check === 'translations')).toMatchObject({ level: 'block', detail: '{{t "bye"}}' });
  expect(checks.find(({ check }) => check === 'languages')).toMatchObject({
    level: 'warn',
    detail: 'fr: previewText, t "greeting"',
  });
  const { body } = await api().get(`/v1/campaigns/${campaignId}/coverage`).expect(200);
  expect(
    (body.data.languages as { language: string | null; missing: string[] }[]).map(({ language, missing }) => [language, missing]),
  ).toEqual([
    [null, ['t "bye"']],
    ['fr', ['previewText', 't "bye"', 't "greeting"']],
  ]);
  expect(faultsOf((await act(campaignId, 'send', { force: true }).expect(422)).body)).toEqual([['body', 'not_found']]);
  await put({ ...GREETING, bye: { default: 'Bye' } });
  const again = (await api().get(`/v1/campaigns/${campaignId}/preflight`).expect(200)).body.data as { checks: { check: string }[] };
  expect(again.checks.map(({ check }) => check)).not.toContain('translations');
  await act(campaignId, 'send', { force: true }).expect(200);
});

test('the preflight names the content that lacks a translation, and languages in which only some of the texts exist', async () => {
  await put({ ...GREETING, thanks: { default: 'Thank you' } });
  const found = async (content: object) => {
    const { campaignId } = await draft({ ...CONTENT, ...content });
    const { checks } = (await api().get(`/v1/campaigns/${campaignId}/preflight`).query({ fetch: 'false' }).expect(200)).body.data;
    return (checks as { check: string; level: string; detail: string; languages?: unknown }[])
      .filter(({ check }) => check === 'translations' || check === 'languages')
      .map(({ check, level, detail, languages }) => [check, level, detail, languages]);
  };
  expect(await found({ body: '<p>{{t "thanks"}}</p>' })).toEqual([['languages', 'warn', 'de: t "thanks"; de-AT: t "thanks"', undefined]]);
  expect(await found({ body: '<p>{{t "greeting"}}</p>', variants: { de: { ...CONTENT, body: '<p>{{t "bye"}}</p>' } } })).toEqual([
    ['languages', 'ok', 'de', undefined],
    ['translations', 'block', '{{t "bye"}}', ['de']],
  ]);
  expect(await found({})).toEqual([]);
});

test('a missing translation that the default and a variant both read is reported once', async () => {
  await put(GREETING);
  const nope = { subject: 'News', body: '<p>{{t "nope"}}</p>' };
  const { campaignId } = await draft({ ...nope, variants: { de: nope } });
  const { checks } = (await api().get(`/v1/campaigns/${campaignId}/preflight`).query({ fetch: 'false' }).expect(200)).body.data;
  const faults = (checks as { level: string; detail?: string }[]).filter(({ detail }) => detail?.includes('nope'));
  expect(faults).toMatchObject([{ check: 'translations', level: 'block', detail: '{{t "nope"}}' }]);
});

test('coverage compiles each content that reads translations once, and no other content', async () => {
  await put(GREETING);
  const reads = (html: string) => ({ subject: 'News', body: `<p>${html}</p>` });
  const variants = { de: reads('{{counted}} {{t "greeting"}}'), fr: reads('{{counted}} {{[t] "bye"}}'), es: reads('{{counted}}') };
  const { campaignId } = await draft({ ...reads('{{counted}}'), variants });
  expect(await parsesDuring('counted', () => api().get(`/v1/campaigns/${campaignId}/coverage`).expect(200))).toBe(2);
});

test('the preflight reads the translations of all contents in one turn of large work', async () => {
  await put(GREETING);
  const half = { subject: 'News', body: `<p>${'x'.repeat(40_000)} {{t "greeting"}}</p>` };
  const { campaignId } = await draft({ ...half, variants: { de: half } });
  const ask = () => api().get(`/v1/campaigns/${campaignId}/preflight`).query({ fetch: 'false' }).expect(200);
  expect(await turnsDuring(app.keys.projectId, ask)).toBe(1);
});

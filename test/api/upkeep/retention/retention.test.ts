import request from 'supertest';
import { record } from '../../../../src/sending/deliver/record';
import { storeAttachment, storeContent } from '../../../../src/records/emails/content';
import { park } from '../../../../src/records/emails/held';
import { tallyEvents } from '../../../../src/records/events/tally';
import { newId } from '../../../../src/platform/core/ids';
import { applyRetention } from '../../../../src/upkeep/retention/apply';
import { recordHits } from '../../../../src/sending/tracking/record';
import { aProject } from '../../../support/platform/app';
import { hit } from '../../../support/calls/campaigns';
import { storeEmail, storeEmails } from '../../../support/data/email-rows';
import { accepted, finishedMessages } from '../../../support/data/finished';
import { publicUrls } from '../../../support/calls/public-urls';
import { queryPlans } from '../../../support/checks/query-plans';
import { SHORT, ago, inDays, retentionCalls } from '../../../support/calls/retention';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: SHORT });

beforeEach(() => stored.retentionMarks.remove());

const { calls, project, sweep, read, rowOf, running } = retentionCalls(() => app);

const kept = async (rows: readonly { readonly _id: string }[]): Promise<boolean[]> =>
  Promise.all(rows.map(async ({ _id }) => (await rowOf(_id)) !== null));

const SENT = { status: 'sent', attempts: 1 } as const;

describe('e-mails', () => {
  test('go when they are old, mail that came in as well; what is not over stays however old it is', async () => {
    const old = { createdAt: ago(101) };
    const rows = await storeEmails(
      project(),
      { ...SENT, ...old },
      { status: 'received', source: 'inbound', ...old },
      { status: 'cancelled', ...old },
      { ...SENT, createdAt: ago(99) },
      { status: 'queued', dueAt: new Date(), ...old },
      { status: 'sending', attempt: { id: 'att_1', worker: 'wrk_1', at: new Date() }, ...old },
      { status: 'queued', scheduledFor: inDays(30), dueAt: inDays(30), ...old },
      { ...SENT, scheduledFor: ago(5), ...old },
    );
    await sweep();
    expect(await kept(rows)).toEqual([false, false, false, true, true, true, true, true]);
    await app.api().get(`/v1/emails/${rows[0]?._id}`).expect(404);
    await stored.emails.change(rows[4]?._id ?? '', { $set: { status: 'sent' }, $unset: { dueAt: 1 } });
    await sweep();
    expect(await kept(rows.slice(4))).toEqual([false, true, true, true]);
    await stored.emails.remove();
  });

  test('leave the statistics, the usage and the figures of their campaign as they were', async () => {
    const campaignId = await running(3);
    const rows = await calls.rows(campaignId);
    await calls.deliver(rows);
    await recordHits([hit(rows[0]?.emailId ?? '', 'https://example.com/'), hit(rows[1]?.emailId ?? '', null)], false);
    await calls.finish(campaignId);
    await record(app.core, await finishedMessages(project(), accepted, [{}, {}]));
    const { body } = await app.api().post('/v1/send').send({ to: 'counted@example.com', subject: 'Hi', text: 'Hi' });
    await stored.emails.change(body.data.results[0].id as string, {
      $set: { status: 'delivered', createdAt: new Date(Date.now() - 300_000) },
      $unset: { dueAt: 1 },
    });
    const figures = async () => ({
      campaign: await read(`/v1/campaigns/${campaignId}`),
      links: (await app.api().get(`/v1/campaigns/${campaignId}/links`).expect(200)).body as unknown,
      stats: await read('/v1/stats'),
      billing: await read('/v1/billing'),
    });
    await tallyEvents();
    const before = await figures();
    expect(before.campaign).toMatchObject({ opened: 2, clicked: 1 });
    await sweep(101);
    expect(await stored.emails.count()).toBe(0);
    expect(await stored.recipients.count({ campaignId })).toBe(0);
    expect(await figures()).toEqual(before);
  });

  test('of a campaign that is not over are not touched, nor is its audience: it counts them again at its end', async () => {
    const campaignId = await running(2);
    const rows = await calls.rows(campaignId);
    const [mail] = await calls.deliver(rows.slice(0, 1));
    await sweep(150);
    expect(await kept(mail ? [mail] : [])).toEqual([true]);
    expect(await calls.rows(campaignId)).toHaveLength(2);
    expect(await calls.finish(campaignId)).toMatchObject({ pending: 1, sent: 1 });
    await app.api().post(`/v1/campaigns/${campaignId}/cancel`).expect(200);
    await sweep(150);
    expect(await kept(mail ? [mail] : [])).toEqual([true]);
    expect(await calls.finish(campaignId, true)).toMatchObject({ sent: 1, skipped: 1 });
    await sweep(99);
    expect(await kept(mail ? [mail] : [])).toEqual([true]);
    await sweep(101);
    expect(await kept(mail ? [mail] : [])).toEqual([false]);
  });

  test('a link, a bounce or an opt-out of one that is gone changes nothing and says so', async () => {
    const id = newId('em');
    const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(app.core, id);
    const path = (url: string): string => url.slice(app.core.config.PUBLIC_URL.length);
    await request(app.url).get(path(viewInBrowserUrl)).expect(404);
    await request(app.url).post(path(unsubscribeUrl)).expect(404);
    expect(await recordHits([hit(id, null)], false)).toEqual([]);
  });
});

describe('what messages said', () => {
  const ATTACHED = [{ filename: 'a.txt', contentType: 'text/plain', size: 2, blobId: 'blob' }];

  test('goes before they do: the row is readable, without a body, and the subject is as it was written', async () => {
    const [inline, shared, young, inbound] = await storeEmails(
      project(),
      { ...SENT, createdAt: ago(11), headers: [['X-Of', 'Ada']], attachments: ATTACHED },
      { ...SENT, createdAt: ago(11), inline: null, contentId: 'shared', subject: 'Hello Ada' },
      { ...SENT, createdAt: ago(9) },
      {
        status: 'received',
        source: 'inbound',
        createdAt: ago(11),
        inline: { subject: 'Re', html: '<p>Ada</p>', text: 'Ada', previewText: null },
        subject: 'Re',
      },
    );
    await storeContent(
      'shared',
      project(),
      { subject: 'Shared {{firstName}}', html: '<p>{{firstName}}</p>', text: null, previewText: null },
      new Date(),
    );
    await sweep();
    const gone = { body: '', text: '', contentKept: false };
    expect(await read(`/v1/emails/${inline?._id}`)).toMatchObject({
      ...gone,
      subject: 'Hello {{firstName}}',
      headers: null,
      to: 'ada@example.com',
    });
    expect(await read(`/v1/emails/${shared?._id}`)).toMatchObject({ ...gone, subject: 'Shared {{firstName}}' });
    expect(await read(`/v1/emails/${inbound?._id}`)).toMatchObject({ ...gone, subject: 'Re' });
    expect(await read(`/v1/emails/${young?._id}`)).toMatchObject({ body: '<p>Hi Ada</p>', subject: 'Hello Ada' });
    const row = await rowOf(inline?._id ?? '');
    expect(row).toMatchObject({ values: '{}', attachments: [{ filename: 'a.txt', contentType: 'text/plain', size: 2, blobId: null }] });
    expect(row).not.toHaveProperty('inline');
    const { viewInBrowserUrl } = publicUrls(app.core, inline?._id ?? '');
    await request(app.url).get(viewInBrowserUrl.slice(app.core.config.PUBLIC_URL.length)).expect(410);
  });

  test('stays as long as they are not over, and goes a while after they are', async () => {
    const [scheduled, late] = await storeEmails(
      project(),
      { status: 'queued', createdAt: ago(20), scheduledFor: inDays(30), dueAt: inDays(30) },
      { status: 'queued', createdAt: ago(20), dueAt: new Date() },
    );
    const [first, second] = [scheduled?._id ?? '', late?._id ?? ''];
    const isGone = async (id: string): Promise<boolean> => (await rowOf(id))?.content === 'gone';
    await sweep();
    expect([await isGone(first), await isGone(second)]).toEqual([false, false]);
    for (const _id of [first, second]) await stored.emails.change(_id, { $set: { status: 'sent' }, $unset: { dueAt: 1 } });
    await sweep(2);
    expect([await isGone(first), await isGone(second)]).toEqual([false, true]);
    await sweep(39);
    expect(await isGone(first)).toBe(false);
    await sweep(41);
    expect(await isGone(first)).toBe(true);
    expect(await rowOf(first)).not.toHaveProperty('contentCheckAt');
  });

  test('each message is gone through once, however many came at one instant', async () => {
    const createdAt = ago(11);
    const rows = await storeEmails(project(), ...Array.from({ length: 1_200 }, () => ({ ...SENT, createdAt })));
    await sweep();
    expect(await stored.emails.count({ _id: { $in: rows.map(({ _id }) => _id) }, content: 'gone' })).toBe(1_200);
    const plans = await queryPlans('emails', () => sweep());
    expect(plans.filter(({ plan, sorted }) => plan.startsWith('COLLSCAN') || sorted)).toEqual([]);
    await stored.emails.remove();
  });
});

describe('contents and attachments that messages share', () => {
  const content = { subject: 'Hi', html: '<p>Hi</p>', text: null, previewText: null };
  const isKept = async (id: string) => (await stored.contents.one(id)) !== null;
  const contentOf = (id: string, neededAt: Date) => storeContent(id, project(), content, neededAt);

  test('go when no message was sent with them for so long; one that is used again stays', async () => {
    await contentOf('old', ago(12));
    await contentOf('again', ago(12));
    await contentOf('again', ago(2));
    await contentOf('ahead', ago(12));
    await contentOf('ahead', inDays(200));
    const file = { filename: 'a', contentType: 'text/plain' };
    const attach = (text: string, neededAt: Date) =>
      storeAttachment(project(), { ...file, content: Buffer.from(text) }, { contactIds: [], neededAt, isKept: true });
    const [old, young] = [await attach('old', ago(12)), await attach('young', ago(12)), await attach('young', new Date())];
    await sweep();
    expect([await isKept('old'), await isKept('again'), await isKept('ahead')]).toEqual([false, true, true]);
    expect(await stored.blobs.distinct('_id', { _id: { $in: [old.blobId, young.blobId] } })).toEqual([young.blobId]);
    await contentOf('old', new Date());
    expect(await isKept('old')).toBe(true);
  });

  test('stay while an old message waits, with any content', async () => {
    await contentOf('waiting', ago(20));
    const email = await storeEmail(project(), { contentId: 'waiting', inline: null, createdAt: ago(20), dueAt: inDays(0.2), shard: 7 });
    await sweep();
    expect(await isKept('waiting')).toBe(true);
    await stored.emails.remove(email._id);
    await sweep();
    expect(await isKept('waiting')).toBe(false);
  });

  test('stay while an old message is held after a restore, which is due at no time', async () => {
    await contentOf('held', ago(20));
    const email = await storeEmail(project(), { contentId: 'held', inline: null, createdAt: ago(20) });
    await park([{ _id: email._id, projectId: project() }]);
    await sweep();
    expect(await isKept('held')).toBe(true);
    await stored.heldMail.remove();
    await stored.emails.remove(email._id);
    await sweep();
    expect(await isKept('held')).toBe(false);
  });

  test('stay while a campaign is under way, and as long again once it has ended', async () => {
    const campaignId = await running(1);
    const { contentIds } = await stored.campaigns.get(campaignId);
    const id = contentIds?.a ?? '';
    await sweep(50);
    expect(await isKept(id)).toBe(true);
    await calls.deliver(await calls.rows(campaignId));
    await stored.contents.change(id, { neededAt: ago(9) });
    await calls.finish(campaignId);
    await sweep(5);
    expect(await isKept(id)).toBe(true);
    await sweep(12);
    expect(await isKept(id)).toBe(false);
  });

  test('a template keeps its own', async () => {
    const template = { name: 'Code', subject: 'Code', body: '<p>Yours</p>', fromEmail: 'a@hello.test' };
    const { templateId } = (await app.api().post('/v1/templates').send(template)).body.data as { templateId: string };
    await sweep(1_000);
    expect(await read(`/v1/templates/${templateId}`)).toMatchObject({ body: '<p>Yours</p>' });
  });
});

test('a turn that is over says where the next one goes on, and a project is taken up where it was left', async () => {
  await stored.emails.remove();
  await storeEmails(project(), ...Array.from({ length: 30 }, () => ({ ...SENT, createdAt: ago(101) })));
  const over = AbortSignal.abort();
  const first = await applyRetention(app.core, { now: Date.now(), after: null }, over);
  expect(first.next).toEqual({ after: null });
  const second = await applyRetention(app.core, { now: Date.now(), after: '' }, over);
  expect(second.next).toEqual({ after: '' });
  await sweep();
  expect(await stored.emails.count()).toBe(0);
});

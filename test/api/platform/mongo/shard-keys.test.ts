import request from 'supertest';
import { createActivities } from '../../../../activities';
import { followSegments } from '../../../../src/audience/segments/memberships';
import { sweepSegments } from '../../../../src/audience/segments/sweep';
import { SWEEP_SHARES } from '../../../../src/contracts/automation';
import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import { CAMPAIGN_WORK } from '../../../../src/marketing/campaign-mail/work';
import { checkAllExecutionsNow } from '../../../../src/marketing/automations/upkeep';
import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { automationWaits } from '../../../../src/marketing/automations/waits';
import { WakeWatch } from '../../../../src/platform/wake-ups';
import { workersWithClaims } from '../../../../src/records/emails/claims';
import { workersWithMail } from '../../../../src/records/emails/ledger';
import { newId } from '../../../../src/platform/core/ids';
import { EventModel } from '../../../../src/records/events/model';
import { DeliveryHost } from '../../../../src/sending/deliver/host';
import { LEASE_TIMES, takeOver } from '../../../../src/sending/deliver/lease';
import { recordReturned } from '../../../../src/sending/deliver/returned';
import { decideFence, fenceStatus, raiseFence } from '../../../../src/sending/restore-fence';
import { recordHits } from '../../../../src/sending/tracking/record';
import { endDeliveries } from '../../../../src/sending/webhooks/deliveries';
import { webhookDeliveries } from '../../../../src/sending/webhooks/event-deliveries';
import { createProject } from '../../../../src/records/projects/service';
import { IdleCampaigns } from '../../../../src/marketing/campaigns/reached';
import { readBacklog } from '../../../../src/upkeep/backlog';
import { beginRemoval } from '../../../../src/upkeep/project-removal/service';
import { continueRemoval } from '../../../../src/upkeep/project-removal/continue';
import { applyRetention } from '../../../../src/upkeep/retention/apply';
import { campaignCalls, hit } from '../../../support/calls/campaigns';
import { erasureCalls } from '../../../support/calls/erasures';
import { importCsv, upload } from '../../../support/calls/imports';
import { confirmUrl } from '../../../../src/sending/opt-in/mail';
import { stored } from '../../../support/data/stored';
import { optInCalls } from '../../../support/calls/opt-ins';
import { publicUrls } from '../../../support/calls/public-urls';
import { askedDuring } from '../../../support/checks/shard-keys';
import type { Asked } from '../../../support/checks/shard-keys';
import { aProject } from '../../../support/platform/app';
import { forTheFile } from '../../../support/run/for-the-file';
import { ASKS_ALL } from '../../../support/data/asks-all-shards';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { aReceiver, deliverDue, handOnAll } from '../../../support/servers/webhooks';

const DAY_MS = 86_400_000;
const QUICK = { lingerMs: 0, promiseMs: 0, beatMs: 1_000 } as const;

const smtp = aMailServer();
const receiver = aReceiver();
const app = aProject(() => ({
  config: {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    DEV_VERIFIED_DOMAINS: 'hello.test',
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  },
}));
const host = forTheFile(
  async () => {
    const made = new DeliveryHost(app.core, new WakeWatch(), { lease: LEASE_TIMES, pump: QUICK });
    await made.start();
    return made;
  },
  (made) => made.stop(),
);
const { confirm } = optInCalls(() => app);
const { running, finish, act, get: campaign } = campaignCalls(() => app);
const { signal } = new AbortController();

/** What the fan-out and the pumps do until nothing is due. */
async function pumped(): Promise<void> {
  const { core } = app;
  const call = { startedAt: Date.now(), stay: false, signal, beat: () => undefined };
  for (let shard = 0; shard < DELIVERY_SHARDS; shard++) await host.pump({ shard, ...call });
  await handOnAll(core, [followSegments, automationWaits, automationTriggers, webhookDeliveries]);
  await deliverDue(core);
}

const sentTo = (to: string, more: object = {}) => ({
  to,
  from: 'team@hello.test',
  subject: 'Hello',
  html: '<a href="https://example.com">Go</a>',
  ...more,
});

async function accepted(body: object, path = '/v1/send'): Promise<readonly string[]> {
  const answer = await app.api().post(path).send(body).expect(200);
  return (answer.body as { data: { results: { id: string }[] } }).data.results.map(({ id }) => id);
}

/** Transactional mail: sent, opened, clicked, opted out of, returned, moved and cancelled. */
async function transactional(): Promise<void> {
  const { core, url } = app;
  const [single = '', bounced = ''] = [...(await accepted(sentTo('one@example.com'))), ...(await accepted(sentTo('two@example.com')))];
  const batch = await accepted({ messages: Array.from({ length: 5 }, (_, n) => sentTo(`batch${n}@example.com`)) }, '/v1/send/batch');
  const sendAt = new Date(Date.now() + DAY_MS).toISOString();
  const [later = ''] = await accepted(sentTo('later@example.com', { sendAt }));
  await app.api().patch(`/v1/emails/${later}`).send({ sendAt }).expect(200);
  await app.api().delete(`/v1/emails/${later}`).expect(200);
  await app.api().post('/v1/send').set('Idempotency-Key', 'once').send(sentTo('three@example.com')).expect(200);
  await app.api().post('/v1/contacts').send({ email: 'asked@example.com', optIn: 'double' }).expect(202);
  const optIn = await stored.optIns.get({ projectId: app.keys.projectId, email: 'asked@example.com' });
  await confirm(confirmUrl(core, optIn).slice(core.config.PUBLIC_URL.length));
  const visited = { name: 'page.viewed', email: 'four@example.com' };
  await app.api(app.keys.public).post('/v1/events').send(visited).expect(201);
  await pumped();
  await recordHits(
    [...batch, single].flatMap((id) => [hit(id, null), hit(id, 'https://example.com')]),
    false,
  );
  const { unsubscribeUrl, viewInBrowserUrl } = publicUrls(core, single);
  const path = (link: string): string => link.slice(core.config.PUBLIC_URL.length);
  await request(url).get(path(viewInBrowserUrl)).expect(200);
  await request(url).post(path(unsubscribeUrl)).expect(200);
  await recordReturned(core, bounced, { kind: 'bounced', bounceType: 'hard', suppresses: 'at_once', error: 'Gone', at: new Date() });
  await recordReturned(core, batch[0] ?? '', { kind: 'complained', feedbackType: 'abuse', at: new Date() });
  for (const id of batch) await app.api().get(`/v1/emails/${id}`).expect(200);
}

async function campaigns(): Promise<void> {
  const id = await running(5);
  const page = { campaignId: id, projectId: app.keys.projectId, from: '', to: null, subject: 'own', winner: null } as const;
  while (!(await host.campaignPage({ input: page, signal })).done);
  await finish(id);
  const list = await app.api().get(`/v1/campaigns/${id}/recipients`).query({ limit: 100 }).expect(200);
  const sent = (list.body.data.data as { emailId: string }[]).map(({ emailId }) => emailId);
  await recordHits(
    sent.map((emailId) => hit(emailId, 'https://example.com')),
    false,
  );
  await campaign(id);
  const cancelled = await running(2);
  await act(cancelled, 'cancel').expect(200);
  await finish(cancelled, true);
}

/** The page of a form, a file of contacts, a segment of them, and what is held about one. */
async function audience(): Promise<void> {
  const form = await app.api().post('/v1/forms').send({ name: 'Newsletter', consentText: 'I want news.' }).expect(201);
  await request(app.url)
    .get(`/f/${form.body.data.formId as string}`)
    .expect(200);
  await importCsv(app, 'email\nlisted@example.com\n');
  const made = await app.api().post('/v1/segments').send({ name: 'Listed', type: 'static' }).expect(201);
  const segment = `/v1/segments/${made.body.data.segmentId as string}`;
  await app
    .api()
    .post(`${segment}/members`)
    .send({ emails: ['listed@example.com'] })
    .expect(200);
  await app.api().post(`${segment}/refresh`).expect(200);
  await app.api().delete(segment).expect(200);
  await app.api().get('/v1/contacts/listed@example.com/data').expect(200);
}

/** What schedules do, and what goes with time and with a person. */
async function upkeep(): Promise<void> {
  const { core } = app;
  const does = createActivities({ core, delivery: host, fanOut: null, webhooks: null });
  await does.sweepContacts();
  await does.sweepDelivery();
  await does.sweepEventCounts();
  await checkAllExecutionsNow(new Date());
  await does.sweepExecutions();
  for (const share of SWEEP_SHARES) await does.sweepExecutionShare({ share });
  await readBacklog(new IdleCampaigns());
  await does.sweepFanOut();
  await does.sweepOutbox();
  await does.sweepReputation();
  await does.sweepWebhooks();
  await does.foldSegmentCounts();
  await sweepSegments(core, { clock: () => new Date(), signal, beat: () => undefined });
  const { erase, fresh, remove } = erasureCalls(() => app);
  const gone = fresh();
  await accepted(sentTo(gone));
  await pumped();
  await remove(gone);
  await does.sweepContacts();
  await erase(gone);
  await endDeliveries(app.keys.projectId, ['ctc_other'], new Date(), gone);
  await accepted(sentTo('held@example.com'));
  await raiseFence(new Date(), () => undefined);
  await fenceStatus();
  await decideFence('release', () => undefined);
  await pumped();
  const lost = { worker: 'wrk_lost', except: [], claimedBefore: new Date() };
  await Promise.all([workersWithMail(), workersWithClaims(), CAMPAIGN_WORK.workers()]);
  await takeOver(core, lost, new Date());
}

async function projectRemoved(): Promise<void> {
  const { projectId, secret } = await createProject('Removed');
  await upload(app, 'email\nlisted@example.com\n', '', secret);
  const like = await stored.deliveries.get({});
  await stored.deliveries.make([{ ...like, _id: newId('whd'), projectId }]);
  await beginRemoval(projectId);
  for (const afterMs of [0, DAY_MS]) await continueRemoval(app.core, { projectId }, new Date(Date.now() + afterMs), signal);
}

/** Mail and campaigns, and all that is asked. */
let traffic: readonly Asked[];
let asked: readonly Asked[];

/** What retention finds at once: younger events are counted first. */
async function oldEvents(): Promise<void> {
  const old = { projectId: app.keys.projectId, createdAt: new Date(0), receivedAt: new Date(1) };
  await EventModel.create([
    { ...old, _id: newId('evt'), contactId: null, emailId: null, name: 'thing.done', data: null, testMode: false, depth: 0 },
  ]);
}

beforeAll(async () => {
  await oldEvents();
  await app
    .api()
    .post('/v1/webhooks')
    .send({ url: receiver.url, events: ['*'] })
    .expect(201);
  traffic = await askedDuring(async () => {
    await transactional();
    await campaigns();
  });
  const others = await askedDuring(async () => {
    await audience();
    await upkeep();
    await projectRemoved();
    await applyRetention(app.core, { now: Date.now() + 1_000 * DAY_MS, after: null }, signal);
  });
  asked = [...traffic, ...others];
});

const everywhere = (some: readonly Asked[]): readonly Asked[] => some.filter(({ isTargeted }) => !isTargeted);

// That no other command does, each file of tests checks of its own commands.
test('each command that is listed as one for every shard is one', () => {
  const shapes = everywhere(asked).map(({ shape }) => shape());
  expect(Object.keys(ASKS_ALL).filter((shape) => !shapes.includes(shape))).toEqual([]);
});

test('mail without an Idempotency-Key is accepted by transactions that read and change rows of its project alone: they stay within its shard', async () => {
  const { projectId } = app.keys;
  const messages = Array.from({ length: 5 }, (_, n) => sentTo(`apart${n}@example.com`));
  const accepting = await askedDuring(() => accepted({ messages }, '/v1/send/batch'));
  const written = accepting.filter(({ inTransaction }) => inTransaction);
  expect(written.length).toBeGreaterThan(10);
  expect(written.filter(({ key }) => !JSON.stringify(key).includes(projectId))).toEqual([]);
});

test('at most a tenth of what mail and campaigns ask is for every shard', () => {
  expect(everywhere(traffic).length / traffic.length).toBeLessThanOrEqual(0.1);
});

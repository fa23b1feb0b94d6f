import { record } from '../../../../src/sending/deliver/record';
import { loadPlan } from '../../../../src/audience/segments/load-plan';
import { recordAccepted } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { accepted, finishedMessages, mailboxFull, refusedBarely } from '../../../support/data/finished';
import { anInboundServer } from '../../../support/platform/inbound-smtp';
import { queryPlans } from '../../../support/checks/query-plans';
import { daysAgo, failing, freshReader, sentMail } from '../../sending/accept/sent-mail';
import { stored } from '../../../support/data/stored';

const app = aProject();
const smtp = anInboundServer(app);

const { sent, suppressionOf } = sentMail(() => app);

test('a bounce after delivery counts as bounced and not as delivered: statistics of whole hours and of parts, campaign, conditions', async () => {
  const { body: made } = await app
    .api()
    .post('/v1/campaigns')
    .send({ name: 'Late', subject: 'Hi', fromEmail: 'team@hello.test', body: '<p>Hi</p>', audience: 'all' })
    .expect(201);
  const campaignId = made.data.campaignId as string;
  const at = new Date();
  const recipients = Array.from({ length: 6 }, (_, index) => ({ to: freshReader(), contactId: `ctc_late${index}`, campaignId }));
  const finished = await finishedMessages(
    app.keys.projectId,
    accepted,
    recipients.map((recipient) => ({ ...recipient, source: 'campaign', type: 'marketing' }) as const),
    at,
  );
  const alone = await finishedMessages(app.keys.projectId, accepted, [{ to: freshReader() }], at);
  await recordAccepted(app.core, finished);
  await record(app.core, alone);
  expect(await stored.emails.count({ campaignId, holds: 'delivered' })).toBe(6);
  const before = await counts(at);
  for (const { email } of [finished[0], finished[1], alone[0]] as typeof finished) {
    expect(await smtp.toBounce(email._id, failing(email.to))).toMatch(/^250 /);
  }
  const after = await counts(at);
  for (const span of ['hours', 'parts'] as const) {
    expect(after[span]).toEqual({ ...before[span], delivered: before[span].delivered - 3, bounced: before[span].bounced + 3 });
  }
  const { body: campaign } = await app.api().get(`/v1/campaigns/${campaignId}`).expect(200);
  expect(campaign.data).toMatchObject({ bounced: 2 });
  expect(await stored.emails.count({ campaignId, deliveredAt: { $type: 'date' } })).toBe(4);
});

interface Counts {
  readonly sent: number;
  readonly delivered: number;
  readonly bounced: number;
}

/** Of a day around an instant, and of a few minutes around it. */
async function counts(at: Date): Promise<{ readonly hours: Counts; readonly parts: Counts }> {
  const totals = async (from: Date, to: Date): Promise<Counts> => {
    const query = { from: from.toISOString(), to: to.toISOString() };
    const { body } = await app.api().get('/v1/stats').query(query).expect(200);
    const { sent: taken, delivered, bounced } = body.data.totals as Counts;
    return { sent: taken, delivered, bounced };
  };
  const hour = Math.floor(at.getTime() / 3_600_000) * 3_600_000;
  return {
    hours: await totals(new Date(hour), new Date(hour + 2 * 3_600_000)),
    parts: await totals(new Date(at.getTime() - 1_000), new Date(at.getTime() + 600_000)),
  };
}

test('an address that bounces soft three times over three days is given up', async () => {
  const to = freshReader();
  const softly = { to, status: 'bounced', bounceType: 'soft', deliveredAt: null } as const;
  await sent({ ...softly, sentAt: daysAgo(4), bouncedAt: daysAgo(4), createdAt: daysAgo(4) });
  await sent({ ...softly, sentAt: daysAgo(2), bouncedAt: daysAgo(2), createdAt: daysAgo(2) });
  const third = await sent({ to });
  await smtp.toBounce(third._id, failing(to, '552 5.2.2 Full', '5.2.2'));
  expect(await suppressionOf(third)).toMatchObject({ reason: 'hard_bounce', source: 'smtp' });
});

test('an address that bounces soft is given up too when its mail is refused at once', async () => {
  const to = freshReader();
  const softly = { to, status: 'bounced', bounceType: 'soft', deliveredAt: null } as const;
  const first = await sent({ ...softly, bouncedAt: daysAgo(4), createdAt: daysAgo(4) });
  await record(app.core, await finishedMessages(app.keys.projectId, mailboxFull, [{ to }]));
  expect(await suppressionOf(first)).toBeNull();
  await record(app.core, await finishedMessages(app.keys.projectId, mailboxFull, [{ to }]));
  expect(await suppressionOf(first)).toMatchObject({ reason: 'hard_bounce', source: 'smtp' });
});

const bouncedInReputation = async (): Promise<number> =>
  (await stored.deliveryCounts.all({ projectId: app.keys.projectId })).reduce((sum, { bounced }) => sum + bounced, 0);

const hoursAgo = (hours: number): Date => daysAgo(hours / 24);

test.each<[string, (to: string) => Promise<unknown>, string]>([
  ['at once', async (to) => record(app.core, await finishedMessages(app.keys.projectId, refusedBarely, [{ to }])), 'smtp'],
  ['in a report', async (to) => smtp.toBounce((await sent({ to }))._id, failing(to, '550 No', '5.0.0')), 'dsn'],
])('an address that is refused %s, and nothing says why, is dead when that comes again an hour later', async (_how, refuse, source) => {
  const to = freshReader();
  const before = await bouncedInReputation();
  const bounced = { to, status: 'bounced', bounceType: 'hard', deliveredAt: null } as const;
  await refuse(to);
  expect(await stored.emails.count({ to, status: 'bounced', bounceType: 'hard' })).toBe(1);
  const soon = await sent({ ...bounced, bouncedAt: hoursAgo(0.9), createdAt: hoursAgo(0.9) });
  await refuse(to);
  expect(await suppressionOf(soon)).toBeNull();
  expect(await bouncedInReputation()).toBe(before);
  const earlier = await sent({ ...bounced, bouncedAt: hoursAgo(1.1), createdAt: hoursAgo(1.1) });
  await refuse(to);
  expect(await suppressionOf(earlier)).toMatchObject({ reason: 'hard_bounce', source });
  expect(await bouncedInReputation()).toBe(before + 1);
});

test('an address that took mail since it was refused is not dead', async () => {
  const to = freshReader();
  const first = await sent({ to, status: 'bounced', bounceType: 'hard', deliveredAt: null, bouncedAt: daysAgo(2), createdAt: daysAgo(2) });
  await sent({ to });
  await record(app.core, await finishedMessages(app.keys.projectId, refusedBarely, [{ to }]));
  expect(await suppressionOf(first)).toBeNull();
});

test('mail of campaigns is refused again too', async () => {
  const to = freshReader();
  const campaign = { to, source: 'campaign', type: 'marketing', campaignId: 'cmp_again', contactId: 'ctc_again' } as const;
  const first = await sent({ ...campaign, status: 'bounced', bounceType: 'hard', deliveredAt: null, bouncedAt: daysAgo(2) });
  await record(app.core, await finishedMessages(app.keys.projectId, refusedBarely, [{ to }]));
  expect(await suppressionOf(first)).toMatchObject({ reason: 'hard_bounce', source: 'smtp' });
});

test('a contact that was in a segment for a delivery that bounced after all is judged anew', async () => {
  const group = { filters: [{ field: 'email.delivered', operator: 'triggered' }] };
  const conditions = { logic: 'and', groups: [group] };
  const to = freshReader();
  const { body } = await app.api().post('/v1/contacts').send({ email: to }).expect(201);
  const email = await sent({ to, contactId: body.data.contactId as string });
  const members = async (): Promise<number> =>
    (await app.api().post('/v1/segments/preview').send({ conditions }).expect(200)).body.data.count as number;
  const before = await members();
  await app.api().post('/v1/segments').send({ name: 'Reached', conditions }).expect(201);
  await smtp.toBounce(email._id, failing(to));
  expect(await members()).toBe(before - 1);
  const event = await stored.events.one({ emailId: email._id, name: 'email.bounced' });
  expect(event?.fanOut).toBeDefined();
  expect((await loadPlan(app.keys.projectId)).concerning({ name: 'email.bounced', data: null })).toHaveLength(1);
});

test('hard bounces move the reputation', async () => {
  const { projectId, secret } = app.otherKeys;
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  await stored.deliveryCounts.make({ _id: `${projectId}/${hour.toISOString()}`, projectId, hour, sent: 100, bounced: 4, complained: 0 });
  const email = await storeEmail(projectId, { status: 'delivered', sentAt: new Date(), deliveredAt: new Date(), attempts: 1 });
  await smtp.toBounce(email._id, failing('ada@example.com'));
  const { body } = await app.api(secret).get('/v1/billing').expect(200);
  expect(body.data.reputation).toMatchObject({ state: 'warn', bounceRate: 0.05 });
});

test('what a report asks of the database has indexes', async () => {
  const report = (said: string, status: string) => async () => {
    const email = await sent();
    expect(await smtp.toBounce(email._id, failing(email.to, said, status))).toMatch(/^250 /);
  };
  const full = report('552 5.2.2 Full', '5.2.2');
  const barely = report('550 No', '5.0.0');
  const collections = ['emails', 'events', 'suppressions', 'contacts', 'delivery_counts', 'mail_hours'];
  for (const collection of collections) {
    const plans = await queryPlans(collection, collection === 'emails' ? full : report('550 5.1.1 No', '5.1.1'));
    expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
  }
  const again = await queryPlans('emails', barely);
  expect(again.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
  const routed = await queryPlans('domains', () => smtp.deliver({ to: 'nobody@elsewhere.test', data: '' }));
  expect(routed.length).toBeGreaterThan(0);
  expect(routed.filter(({ plan }) => !plan.startsWith('IXSCAN'))).toEqual([]);
});

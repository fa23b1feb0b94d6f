import { leaveOut } from '../../../../src/sending/deliver/recheck';
import { toEmail } from '../../../../src/records/emails/row';
import { activate, always, chain, drive, enrol, send } from '../../../support/calls/automations';
import { campaignCalls, storeSegment } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aSecondApi } from '../../../support/platform/second-api';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const SETTINGS = () => ({ DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
const app = aProject(() => ({ config: SETTINGS() }));
const second = aSecondApi(app, { DEV_VERIFIED_DOMAINS: 'hello.test' });
const host = aDeliveryHost(app);
const calls = campaignCalls(() => app);
const { wholePage } = campaignPages(
  () => app,
  () => host,
);

const HOUR = 3_600_000;
const MAX = 3;
const OF_API = 12;
const OF_AUTOMATIONS = 12;
const OF_CAMPAIGNS = 6;
const cap = (more: object) => ({ name: 'hourly', max: MAX, per: { amount: 1, unit: 'hours' }, ...more });

interface Person {
  readonly email: string;
  readonly contactId: string;
}

async function person(): Promise<Person> {
  const email = freshAddress();
  return { email, contactId: await calls.contact(email) };
}

/** Everything that can send, ready to send to somebody at once. */
async function senders({ email, contactId }: Person) {
  const segmentId = await storeSegment(app.keys.projectId, [contactId]);
  const automation = await activate(app, chain(send('mail', { type: 'marketing' })), always);
  const executions: string[] = [];
  for (let n = 0; n < OF_AUTOMATIONS; n++) executions.push(await enrol(app, automation, contactId));
  const campaigns: string[] = [];
  for (let n = 0; n < OF_CAMPAIGNS; n++) {
    const { campaignId } = await calls.draft({ audience: 'segment', segmentId });
    await calls.act(campaignId, 'send').expect(200);
    await calls.freeze(campaignId);
    campaigns.push(campaignId);
  }
  const message = { to: email, subject: 'Hello', text: 'Hello', from: 'team@hello.test', type: 'marketing' };
  const byApi = (n: number) => (n % 2 === 0 ? app.api : second.api)().post('/v1/send').send(message).expect(200);
  const all = (): Promise<unknown> =>
    Promise.all([
      ...Array.from({ length: OF_API }, (_, n) => byApi(n)),
      ...executions.map((id) => drive(app.core, app.keys.projectId, id)),
      ...campaigns.map((id) => wholePage(id)),
    ]);
  return { all, campaigns };
}

const sentBy = async (campaigns: readonly string[]): Promise<number> => stored.emails.count({ campaignId: { $in: [...campaigns] } });

test('of thirty senders at once exactly as many as a cap allows reach a person; the others are skipped', async () => {
  await app
    .api()
    .patch('/v1/settings')
    .send({ frequencyCaps: [cap({ whenReached: 'skip' })] })
    .expect(200);
  const who = await person();
  const { all, campaigns } = await senders(who);
  await all();
  const queued = await stored.emails.count({ to: who.email, campaignId: null as never });
  expect(queued + (await sentBy(campaigns))).toBe(MAX);
});

test('where they wait, nothing is lost: every message has its time, and no window holds more', async () => {
  await app
    .api()
    .patch('/v1/settings')
    .send({ frequencyCaps: [cap({ whenReached: 'wait', waitUpTo: { amount: 30, unit: 'days' } })] })
    .expect(200);
  const who = await person();
  const { all, campaigns } = await senders(who);
  await all();
  const mail = (await stored.emails.all({ to: who.email }))
    .map((row) => toEmail(row as never))
    .filter(({ campaignId }) => campaignId === null);
  expect(mail).toHaveLength(OF_API + OF_AUTOMATIONS);
  const byCampaigns = await sentBy(campaigns);
  expect(mail.filter(({ scheduledFor }) => scheduledFor === null).length + byCampaigns).toBe(MAX);

  // The pump looks at each when it is due, as of that instant: at no time do more go than the cap allows.
  const attempted: number[] = (await stored.emails.all({ campaignId: { $in: campaigns } })).map(({ createdAt }) => createdAt.getTime());
  for (let left = mail; left.length > 0;) {
    const [first] = [...left].sort((one, other) => Number(one.dueAt) - Number(other.dueAt));
    const now = first?.dueAt ?? new Date();
    const due = left.filter(({ dueAt }) => dueAt && dueAt <= now);
    const { wanted } = await leaveOut(app.core, due, now);
    for (const { _id } of wanted) {
      attempted.push(now.getTime());
      await stored.emails.change({ _id }, { $set: { status: 'sent' } });
    }
    left = (await stored.emails.all({ to: who.email, status: 'queued' })).map((row) => toEmail(row as never));
  }
  expect(attempted).toHaveLength(OF_API + OF_AUTOMATIONS + byCampaigns);
  attempted.sort((one, other) => one - other);
  const distances = attempted.slice(MAX).map((next, index) => next - (attempted[index] ?? 0));
  // A campaign's message takes its place a moment before its claim says so.
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(HOUR - 5_000);
});

test('of thirty senders of one send-once key one reaches a person', async () => {
  await app.api().patch('/v1/settings').send({ frequencyCaps: [] }).expect(200);
  const { email } = await person();
  const message = { to: email, subject: 'Hello', text: 'Hello', from: 'team@hello.test', sendOnce: { key: 'once' } };
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? app.api : second.api)().post('/v1/send').send(message).expect(200)),
  );
  const ids = new Set(answers.flatMap(({ body }) => body.data.results[0].id ?? []));
  expect(ids.size).toBe(1);
  const details = answers.flatMap(({ body }) => body.data.results[0].detail ?? []);
  expect(details).toEqual(Array(29).fill({ sendOnce: 'once', emailId: [...ids][0] }));
});

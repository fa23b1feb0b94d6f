import { toEmail } from '../../../../src/records/emails/row';
import { claimedNow } from '../../../support/data/claims';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { aPart } from '../../../support/platform/platform-parts';
import { storeContacts } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

jest.setTimeout(240_000);

const PEOPLE = 200;
const platform = aPlatform({ env: { SMTP_CONNECTIONS: '2', LEDGER_CHUNK: '10', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });
const second = aPart(() => new Part('worker/main.ts', platform.env, 'Worker is ready'));

beforeEach(() => {
  platform.smtp.script = {};
});

async function people(prefix: string, size: number): Promise<string[]> {
  const emails = Array.from({ length: size }, (_, index) => `${prefix}${index}@example.com`);
  const contact = { firstName: 'Ada', data: { list: prefix } };
  await storeContacts(
    platform.keys.projectId,
    emails.map((email) => [email, contact]),
  );
  return emails;
}

async function draft(prefix: string, more: object = {}): Promise<string> {
  const filter = { logic: 'and', groups: [{ filters: [{ field: 'data.list', operator: 'equals', value: prefix }] }] };
  const body = '<p>Hello {{firstName}}, <a href="https://example.com/offer">look</a></p>';
  const given = { name: prefix, subject: `${prefix} A`, body, fromEmail: 'team@hello.test', audience: 'filter', filter, ...more };
  const { status, body: answer } = await platform.post('/v1/campaigns', given);
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data.campaignId as string;
}

const campaign = async (id: string) => (await platform.get(`/v1/campaigns/${id}`)).body.data as Record<string, unknown>;
const until = (id: string, status: string) => eventually(`${id} is ${status}`, async () => (await campaign(id))['status'] === status);
function arrived(emails: readonly string[]) {
  const among = new Set(emails);
  return platform.smtp.messages.filter(({ to }) => among.has(to));
}
const recipients = async (id: string) =>
  ((await platform.get(`/v1/campaigns/${id}/recipients?limit=1000`)).body.data as { data: { email: string; status: string }[] }).data;
const statuses = async (id: string) => new Map((await recipients(id)).map(({ email, status }) => [email, status]));

/**
 * Recipients, ledger, counters and the mail server say the same, and no recipient is in two of them or in none. The addresses of contacts that were `deleted` are
 * erased everywhere but on the mail server.
 */
async function expectOneStory(id: string, emails: readonly string[], deleted: readonly string[] = []): Promise<void> {
  const isErased = (email: string): boolean => email.startsWith('erased_');
  const erasedOf = async () => (await recipients(id)).filter(({ email }) => isErased(email));
  // What was on its way at the deletion is erased half a minute later.
  const isGone = async (): Promise<boolean> =>
    (await erasedOf()).length === deleted.length &&
    (await stored.emails.all({ campaignId: id })).every((row) => !deleted.includes(toEmail(row).to));
  await eventually('deleted contacts are erased', isGone);
  const kept = emails.filter((email) => !deleted.includes(email));
  const byEmail = await statuses(id);
  const sent = kept.filter((email) => byEmail.get(email) === 'sent').sort();
  const sentAndErased = (await erasedOf()).filter(({ status }) => status === 'sent').length;
  expect([...byEmail.keys()].filter((email) => !isErased(email)).sort()).toEqual([...kept].sort());
  expect(
    arrived(kept)
      .map(({ to }) => to)
      .sort(),
  ).toEqual(sent);
  expect(new Set(arrived(deleted).map(({ to }) => to)).size).toBe(arrived(deleted).length);
  expect(arrived(deleted).length).toBe(sentAndErased);
  const ledger = (await stored.emails.all({ campaignId: id })).map(toEmail);
  expect(
    ledger
      .map(({ to }) => to)
      .filter((to) => !isErased(to))
      .sort(),
  ).toEqual(sent);
  expect(ledger.length).toBe(sent.length + sentAndErased);
  expect(await campaign(id)).toMatchObject({
    totalRecipients: emails.length,
    delivered: ledger.filter(({ deliveredAt }) => deliveredAt).length,
    opened: ledger.filter(({ openedAt }) => openedAt).length,
    clicked: ledger.filter(({ clickedAt }) => clickedAt).length,
  });
}

test('everyone is sent it once or skipped, even when contacts leave meanwhile, by two workers', async () => {
  const emails = await people('leaving', PEOPLE);
  const id = await draft('leaving');
  expect((await platform.post(`/v1/campaigns/${id}/send`, { throttlePerMinute: 2_400 })).status).toBe(200);
  await eventually('it is under way', () => arrived(emails).length > 20);
  const leaving = emails.slice(-90);
  await Promise.all([
    ...leaving.slice(0, 30).map((email) => platform.post('/v1/contacts', { email, subscribed: false })),
    ...leaving.slice(30, 60).map((email) => platform.post('/v1/suppressions', { email })),
    ...leaving.slice(60).map((email) => platform.request('DELETE', `/v1/contacts/${encodeURIComponent(email)}`)),
  ]);
  const after = await people('late', 5);
  await until(id, 'sent');
  await expectOneStory(id, emails, leaving.slice(60));
  const byEmail = await statuses(id);
  expect(leaving.filter((email) => byEmail.get(email) === 'skipped').length).toBeGreaterThan(0);
  expect(arrived(after)).toEqual([]);
});

test('an experiment sends the sample both subjects, then the rest the better one', async () => {
  const emails = await people('ab', 100);
  const id = await draft('ab', { abSubjectB: 'ab B', abSamplePct: 20 });
  const decideAt = new Date(Date.now() + 12_000).toISOString();
  expect((await platform.post(`/v1/campaigns/${id}/send`, { abDecideAt: decideAt })).status).toBe(200);
  await eventually('the sample has it', () => arrived(emails).length === 20);
  const subjects = () => arrived(emails).map(({ headers }) => headers['subject']);
  expect([subjects().filter((subject) => subject === 'ab A').length, subjects().filter((subject) => subject === 'ab B').length]).toEqual([
    10, 10,
  ]);
  const rows = await stored.recipients.all({ campaignId: id, variant: 'b' });
  for (const { email } of rows.slice(0, 3)) {
    const source = (arrived([email])[0]?.raw.toString() ?? '').replaceAll('=\r\n', '');
    const pixel = /\/t\/o\/[0-9a-z.]+\.gif/.exec(source)?.[0] ?? '';
    expect((await fetch(platform.url + pixel, { headers: { 'user-agent': 'Thunderbird' } })).status).toBe(200);
  }
  await until(id, 'sent');
  expect(await campaign(id)).toMatchObject({ abWinner: 'b', opened: 3 });
  expect(subjects().filter((subject) => subject === 'ab B')).toHaveLength(90);
  expect(await stored.recipients.count({ campaignId: id, variant: 'hold' })).toBe(0);
  await expectOneStory(id, emails);
});

test('a cancelled campaign begins no message after the answer; remaining recipients are skipped', async () => {
  const emails = await people('stopped', 150);
  const id = await draft('stopped');
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 50 } } : {});
  await platform.post(`/v1/campaigns/${id}/send`, {});
  await eventually('it is under way', () => arrived(emails).length > 10);
  expect((await platform.post(`/v1/campaigns/${id}/cancel`, {})).status).toBe(200);
  // Two workers had ten messages each on the wire at most.
  const begun = [...(await claimedNow({ campaignId: id })), ...(await stored.emails.distinct('_id', { campaignId: id }))];
  await eventually(
    'the rest is skipped',
    async () => (await stored.recipients.count({ campaignId: id, status: 'pending' })) === arrived(emails).length,
  );
  expect(await stored.emails.count({ campaignId: id })).toBeLessThanOrEqual(new Set(begun).size);
  expect(arrived(emails).length).toBeLessThan(150);
  expect((await campaign(id))['status']).toBe('cancelled');
  await expectOneStory(id, emails);
});

test('a campaign that meets a cap holds, says so, and goes on when it is lifted', async () => {
  const emails = await people('capped', 30);
  const { used } = (await platform.get('/v1/billing')).body.data.categories.campaign as { used: number };
  await platform.request('PATCH', '/v1/billing', { monthlyLimitCampaign: used + 12 });
  const id = await draft('capped');
  await platform.post(`/v1/campaigns/${id}/send`, {});
  await eventually('it holds', async () => (await campaign(id))['heldReason'] === 'limit_reached');
  expect(await campaign(id)).toMatchObject({ status: 'sending' });
  await eventually('what fits has gone', () => arrived(emails).length === 12);
  await platform.request('PATCH', '/v1/billing', { monthlyLimitCampaign: null });
  await until(id, 'sent');
  expect((await campaign(id))['heldReason']).toBeNull();
  await expectOneStory(id, emails);
});

test('a worker killed in the middle loses no recipient and repeats no more than what was in doubt', async () => {
  const emails = await people('killed', PEOPLE);
  const id = await draft('killed');
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 150 } } : {});
  await platform.post(`/v1/campaigns/${id}/send`, {});
  await eventually('both workers have sent an eighth', async () => {
    const shares = await stored.emails.collection
      .aggregate<{ messages: number }>([{ $match: { campaignId: id } }, { $group: { _id: '$attempt.worker', messages: { $sum: 1 } } }])
      .toArray();
    return shares.length === 2 && shares.every(({ messages }) => messages >= PEOPLE / 8);
  });
  await second.kill9();
  expect(arrived(emails).length).toBeLessThan(PEOPLE);
  await until(id, 'sent');
  await eventually(
    'what was on the wire is settled',
    async () => (await stored.emails.count({ campaignId: id, status: 'delivered' })) === PEOPLE,
  );
  const counts = emails.map((email) => arrived([email]).length);
  expect(Math.min(...counts)).toBe(1);
  expect(counts.reduce((sum, count) => sum + count - 1, 0)).toBeLessThanOrEqual(10);
  for (const email of emails) expect(new Set(arrived([email]).map(({ headers }) => headers['message-id'])).size).toBe(1);
  await second.start();
});

test('recipients who did not open a campaign get it again, under another subject', async () => {
  const emails = await people('again', 12);
  const id = await draft('again');
  await platform.post(`/v1/campaigns/${id}/send`, {});
  await until(id, 'sent');
  await eventually('it is delivered', async () => (await stored.emails.count({ campaignId: id, status: 'delivered' })) === 12);
  await stored.emails.changeAll(
    { campaignId: id, 'recipient.to': { $in: emails.slice(0, 5) } },
    { openedAt: new Date(), status: 'opened' },
  );
  const { body } = await platform.post(`/v1/campaigns/${id}/resend-non-openers`, { subject: 'Once more' });
  await until(body.data.campaignId as string, 'sent');
  const again = arrived(emails).filter(({ headers }) => headers['subject'] === 'Once more');
  expect(again.map(({ to }) => to).sort()).toEqual(emails.slice(5).sort());
});

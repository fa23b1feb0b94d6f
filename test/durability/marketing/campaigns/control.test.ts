import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { aPart } from '../../../support/platform/platform-parts';
import { storeContacts } from '../../../support/data/people';

jest.setTimeout(240_000);

const SENDERS = 100;
const MANY = 2_000;
const PAGE = 1_000;
const HOUR_MS = 3_600_000;

const platform = aPlatform({ env: { SMTP_CONNECTIONS: '4', LEDGER_CHUNK: '20', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });
const second = aPart(() => new Part('worker/main.ts', platform.env, 'Worker is ready'));

beforeEach(() => {
  platform.smtp.script = {};
});

const settings = (change: object) => platform.request('PATCH', '/v1/settings', change);

async function people(prefix: string, size: number): Promise<string[]> {
  const emails = Array.from({ length: size }, (_, index) => `${prefix}${index}@example.com`);
  await storeContacts(
    platform.keys.projectId,
    emails.map((email) => [email, { data: { list: prefix } }]),
  );
  return emails;
}

async function draft(prefix: string, more: object = {}): Promise<string> {
  const filter = { logic: 'and', groups: [{ filters: [{ field: 'data.list', operator: 'equals', value: prefix }] }] };
  const given = { name: prefix, subject: 'First', body: '<p>Hello</p>', fromEmail: 'team@hello.test', audience: 'filter', filter, ...more };
  return (await platform.post('/v1/campaigns', given)).body.data.campaignId as string;
}

const campaign = async (id: string) => (await platform.get(`/v1/campaigns/${id}`)).body.data as Record<string, unknown>;
const until = (id: string, status: string) =>
  eventually(`${id} is ${status}`, async () => (await campaign(id))['status'] === status, 200_000);

interface Recipient {
  readonly email: string;
  readonly status: string;
  readonly skipReason: string | null;
  readonly contentVersion?: number;
}
async function recipients(id: string): Promise<readonly Recipient[]> {
  const all: Recipient[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, nextCursor } = (await platform.get(`/v1/campaigns/${id}/recipients?limit=${PAGE}${cursor && `&cursor=${cursor}`}`)).body
      .data as { data: Recipient[]; nextCursor: string | null };
    all.push(...data);
    cursor = nextCursor;
  }
  return all;
}

/** Kills a worker in the middle, and starts it again. */
async function killed(worker: Part): Promise<void> {
  await worker.kill9();
  await worker.start();
}

test('a cap of 3 lets 3 messages of 100 senders and a campaign through, and loses none of them, while workers are killed', async () => {
  await settings({ frequencyCaps: [{ name: 'weekly', max: 3, per: { amount: 7, unit: 'days' }, whenReached: 'skip' }] });
  const [capped = '', ...others] = await people('capped', 20);
  const sending = Array.from({ length: SENDERS }, async (_, n) => {
    const message = { to: capped, from: 'hello@hello.test', subject: `Message ${n}`, text: 'Hello', type: 'marketing' };
    return (await platform.post('/v1/send', message)).body.data.results[0] as { id?: string; skipped?: string };
  });
  const kills = Promise.all([killed(platform.worker), killed(second)]);
  const results = await Promise.all(sending);
  const accepted = results.flatMap(({ id }) => id ?? []);
  expect([accepted.length, results.filter(({ skipped }) => skipped === 'limit_reached').length]).toEqual([3, SENDERS - 3]);
  const id = await draft('capped');
  await platform.post(`/v1/campaigns/${id}/send`, {});
  await kills;
  await killed(second);
  await until(id, 'sent');
  for (const one of accepted) await platform.untilStatus(one, 'delivered');
  expect(new Set(platform.messageIds(capped)).size).toBe(3);
  for (const email of others) expect([email, new Set(platform.messageIds(email)).size]).toEqual([email, 1]);
  expect((await recipients(id)).filter(({ status }) => status === 'skipped')).toEqual([
    expect.objectContaining({ email: capped, skipReason: 'limit_reached' }),
  ]);
  await settings({ frequencyCaps: [] });
});

test('a campaign that waits for its window begins when it opens, and everybody gets it once, though its workers were killed meanwhile', async () => {
  const emails = await people('windowed', 100);
  const opens = new Date(Math.ceil((Date.now() + 20_000) / 60_000) * 60_000);
  const clock = (at: number): string => new Date(at).toISOString().slice(11, 16);
  const windows = { from: clock(opens.getTime()), until: clock(opens.getTime() + 2 * HOUR_MS), timezone: 'UTC' };
  const id = await draft('windowed', { windows });
  await platform.post(`/v1/campaigns/${id}/send`, {});
  await eventually('its next turn is known', async () => (await campaign(id))['nextAt'] === opens.toISOString());
  await Promise.all([killed(platform.worker), killed(second)]);
  const first = await eventually(
    'it has begun',
    () => (emails.some((email) => platform.arrived(email).length > 0) ? Date.now() : 0),
    120_000,
  );
  expect(first).toBeGreaterThanOrEqual(opens.getTime());
  await killed(second);
  await until(id, 'sent');
  // What the killed worker had on a connection is tried again once its lease is over, as a deferred message is.
  await eventually('everybody has it', () => emails.every((email) => platform.arrived(email).length > 0), 120_000);
  for (const email of emails) expect([email, new Set(platform.messageIds(email)).size]).toEqual([email, 1]);
});

/** Subjects and `Message-ID`s of what the mail server has, by recipient. */
function received(prefix: string): ReadonlyMap<string, { readonly subjects: Set<string>; readonly ids: Set<string> }> {
  const found = new Map<string, { subjects: Set<string>; ids: Set<string> }>();
  for (const { to, headers } of platform.smtp.messages) {
    if (!to.startsWith(prefix)) continue;
    const one = found.get(to) ?? { subjects: new Set(), ids: new Set() };
    one.subjects.add(String(headers['subject']));
    one.ids.add(String(headers['message-id']));
    found.set(to, one);
  }
  return found;
}

test('a campaign of 2,000 that is paused and corrected, with workers killed, gives each recipient one version, as the mail server got it', async () => {
  const emails = await people('corrected', MANY);
  const id = await draft('corrected');
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 10 } } : {});
  await platform.post(`/v1/campaigns/${id}/send`, {});
  const arrived = () => received('corrected').size;
  await eventually('a tenth has arrived', () => arrived() > MANY / 10, 120_000);
  const paused = await platform.post(`/v1/campaigns/${id}/pause`, {});
  expect(paused.status).toBe(200);
  const { sent, inFlight, remaining } = paused.body.data as Readonly<Record<'sent' | 'inFlight' | 'remaining', number>>;
  expect(Math.min(sent, inFlight, remaining)).toBeGreaterThanOrEqual(0);
  expect(sent + inFlight + remaining).toBe(MANY);
  await Promise.all([killed(platform.worker), killed(second)]);
  expect(arrived()).toBeLessThanOrEqual(sent + inFlight);
  expect((await platform.post(`/v1/campaigns/${id}/revise`, { subject: 'Second' })).status).toBe(200);
  // What had begun before the pause may come until now, and nothing else.
  expect([...received('corrected').values()].some(({ subjects }) => subjects.has('Second'))).toBe(false);
  expect((await platform.post(`/v1/campaigns/${id}/resume`, {})).status).toBe(200);
  const before = arrived();
  await eventually('it goes on', () => arrived() > before + MANY / 10, 120_000);
  await killed(platform.worker);
  await until(id, 'sent');
  await eventually('all have arrived', () => arrived() === MANY, 120_000);
  const versions = new Map((await recipients(id)).map(({ email, contentVersion }) => [email, contentVersion ?? 1]));
  const [got, subjects] = [received('corrected'), ['First', 'Second']];
  expect(versions.size).toBe(MANY);
  for (const email of emails)
    expect([email, [...(got.get(email)?.subjects ?? [])], got.get(email)?.ids.size]).toEqual([
      email,
      [subjects[(versions.get(email) ?? 0) - 1]],
      1,
    ]);
  expect(new Set(versions.values())).toEqual(new Set([1, 2]));
  expect([...got.values()].filter((one) => one.subjects.has('First')).length).toBe(sent + inFlight);
});

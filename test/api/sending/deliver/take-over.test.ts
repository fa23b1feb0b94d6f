import { record } from '../../../../src/sending/deliver/record';
import { takeOverQueued } from '../../../../src/sending/deliver/lease';
import type { Email } from '../../../../src/records/emails/model';
import { claim } from '../../../../src/records/emails/attempts';
import { newId } from '../../../../src/platform/core/ids';
import { acceptance, eventsOfAccepted, newerFirst, onTheWire, recordAccepted } from '../../../support/data/accepted-mail';
import type { ListedEvent } from '../../../support/data/accepted-mail';
import { claimOf } from '../../../support/data/claims';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const app = aProject();
const keys = aFreshProject();
let worker: string;

beforeEach(async () => {
  worker = newId('wrk');
});

const AT = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);
const claimed = (count: number, change: Partial<Email> = {}): Promise<Email[]> =>
  onTheWire(
    keys.projectId,
    Array.from({ length: count }, () => ({ createdAt: AT, ...change })),
    worker,
  );
const queueId = (email: Email): string => `250 2.0.0 Ok: queued as ${email._id}`;
const accepted = (emails: readonly Email[], at = AT) => emails.map((email) => acceptance(email, at, queueId(email)));
const lost = (now = new Date()): Promise<readonly number[]> => takeOverQueued({ worker, except: [], claimedBefore: now });
const ledger = (emails: readonly Email[]): Promise<Email[]> =>
  stored.emails.all({ _id: { $in: emails.map(({ _id }) => _id) } }, { _id: 1 });
const listed = async (): Promise<ListedEvent[]> =>
  (await app.api(keys.secret).get('/v1/events?limit=100').expect(200)).body.data as ListedEvent[];
const eventsOf = (emails: readonly Email[]): ListedEvent[] =>
  emails.flatMap((email) => eventsOfAccepted(email, AT, queueId(email))).sort(newerFirst);
const countOf = async (name: string): Promise<number> =>
  (await app.api(keys.secret).get(`/v1/events/${name}/usage`).expect(200)).body.data.count as number;

test('a message without a record goes back into the queue; a late worker then records it with its events, once', async () => {
  const emails = await claimed(6);
  const now = new Date();
  expect(await lost(now)).toEqual([3]);
  for (const email of await ledger(emails)) expect(email).toMatchObject({ status: 'queued', dueAt: email.attempt?.at, attempts: 1 });
  expect(await lost()).toEqual([]);
  await Promise.all([recordAccepted(app.core, accepted(emails)), recordAccepted(app.core, accepted(emails))]);
  expect((await ledger(emails)).map(({ status }) => status)).toEqual(Array(6).fill('delivered'));
  expect(await listed()).toEqual(eventsOf(emails));
  expect(await countOf('email.delivered')).toBe(6);
});

test('sent again after that, its events have the same ids', async () => {
  const emails = await claimed(6);
  await lost();
  const again = emails.map((email) => ({ ...email, attempts: 2 }));
  await record(app.core, accepted(again));
  await recordAccepted(app.core, accepted(emails));
  expect([await countOf('email.delivered'), await stored.events.count({ projectId: keys.projectId })]).toEqual([6, 18]);
});

test('a late worker records nothing of what another has begun again', async () => {
  const emails = await claimed(6);
  await lost();
  const other = { id: newId('att'), worker: newId('wrk'), at: new Date() };
  const [first, ...others] = emails;
  await claim(claimOf([first as Email], other));
  await recordAccepted(app.core, accepted(emails));
  expect((await ledger(emails)).map(({ status }) => status)).toEqual(['sending', ...others.map(() => 'delivered')]);
  expect(await listed()).toEqual(eventsOf(others));
  expect(await countOf('email.delivered')).toBe(5);
});

test('a take-over while its worker records: each message has its events once', async () => {
  for (let round = 0; round < 8; round++) {
    const emails = await claimed(6);
    await Promise.all([recordAccepted(app.core, accepted(emails)), lost()]);
    expect((await ledger(emails)).map(({ status }) => status)).toEqual(Array(6).fill('delivered'));
    const ids = new Set(emails.map(({ _id }) => _id));
    expect((await listed()).filter(({ emailId }) => ids.has(emailId ?? ''))).toEqual(eventsOf(emails));
  }
});

test('what is still under way, was claimed lately or by others is left alone', async () => {
  const [busy, mine] = [await claimed(2), await claimed(1)];
  const attemptIds = busy.flatMap(({ attempt }) => attempt?.id ?? []);
  await takeOverQueued({ worker, except: attemptIds, claimedBefore: new Date() });
  await takeOverQueued({ worker, except: [], claimedBefore: new Date(Date.now() - 60_000) });
  await takeOverQueued({ worker: 'wrk_other', except: [], claimedBefore: new Date() });
  expect((await ledger([...busy, ...mine])).map(({ status }) => status)).toEqual(['sending', 'sending', 'queued']);
});

test('a take-over reads along indexes', async () => {
  await claimed(6);
  const plans = await queryPlans('emails', () => lost());
  expect(plans.length).toBeGreaterThan(0);
  for (const { plan, sorted } of plans) expect({ plan, sorted }).toEqual({ plan: expect.stringMatching(/IXSCAN|IDHACK/), sorted: false });
});

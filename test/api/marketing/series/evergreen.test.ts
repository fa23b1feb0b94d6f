import { advanceSeries } from '../../../../src/marketing/series';
import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } }));
const host = aDeliveryHost(app);
const { act, api, contact, draft, finish, freeze, get, rows } = campaignCalls(() => app);
const { page } = campaignPages(
  () => app,
  () => host,
);

const DAY_MS = 86_400_000;
const DAILY = { rrule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', timezone: 'UTC' };
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 8 * 3_600_000;
const nine = (day: number): number => START + (day - 1) * DAY_MS + 3_600_000;

interface Turn {
  readonly status: string;
  readonly skipReason: string | null;
  readonly campaignId: string | null;
}

const turns = async (id: string): Promise<Turn[]> =>
  ((await api().get(`/v1/campaigns/${id}/turns`).expect(200)).body as { data: Turn[] }).data.reverse();

async function evergreen(more: object = {}): Promise<string> {
  const { campaignId } = await draft({ evergreen: true, schedule: DAILY, ...more });
  await act(campaignId, 'send', { scheduledFor: new Date(START).toISOString() }).expect(200);
  return campaignId;
}

/** Has the turn of a day, and sends it to its end. Resolves to whom it reached. */
async function turnOf(id: string, day: number): Promise<string[]> {
  await advanceSeries(app.core, { campaignId: id, projectId: app.keys.projectId, now: nine(day) });
  const childId = String((await turns(id)).at(-1)?.campaignId);
  await freeze(childId);
  const before = smtp.messages.length;
  await page(childId);
  expect(await finish(childId)).toMatchObject({ pending: 0 });
  expect((await rows(childId)).map(({ status }) => status)).toEqual(smtp.messages.slice(before).map(() => 'pending'));
  return smtp.messages
    .slice(before)
    .flatMap(({ to }) => to)
    .sort();
}

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.personLimits.remove()]);
});

test('each contact gets it once, in the first turn after it comes to match', async () => {
  const [ada, grace, joan] = [freshAddress(), freshAddress(), freshAddress()].sort() as [string, string, string];
  const pro = { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] };
  await contact(ada, { data: { plan: 'pro' } });
  await contact(grace, { data: { plan: 'free' } });
  const id = await evergreen({ audience: 'filter', filter: pro });
  expect(await turnOf(id, 1)).toEqual([ada]);
  await contact(grace, { data: { plan: 'pro' } });
  await contact(joan, { data: { plan: 'pro' } });
  // Contacts of now are later than the turn of tomorrow began: its audience is that of its start.
  expect(await turnOf(id, 2)).toEqual([grace, joan]);
  await contact(ada, { data: { plan: 'free' } });
  await contact(ada, { data: { plan: 'pro' } });
  expect(await turnOf(id, 3)).toEqual([]);
  expect(await get(id)).toMatchObject({ status: 'sending', evergreen: true, turns: 3 });
});

test('a turn that reached nobody is skipped, and leaves no campaign', async () => {
  await contact(freshAddress());
  const id = await evergreen();
  await turnOf(id, 1);
  await turnOf(id, 2);
  const empty = String((await turns(id))[1]?.campaignId);
  await turnOf(id, 3);
  expect(await turns(id)).toMatchObject([
    { status: 'sent', skipReason: null },
    { status: 'skipped', skipReason: 'nobody_new', campaignId: null },
    { status: 'sent', skipReason: null },
  ]);
  await api().get(`/v1/campaigns/${empty}`).expect(404);
});

test('a message of which no attempt was made does not count: the contact gets the next turn', async () => {
  const id = await evergreen();
  const address = freshAddress();
  await contact(address);
  await advanceSeries(app.core, { campaignId: id, projectId: app.keys.projectId, now: nine(1) });
  const childId = String((await turns(id))[0]?.campaignId);
  await freeze(childId);
  await act(childId, 'cancel').expect(200);
  await finish(childId, true);
  expect(await turnOf(id, 2)).toEqual([address]);
});

test('it ends by its last instant, or when it is cancelled', async () => {
  const id = await evergreen({ schedule: { ...DAILY, until: new Date(nine(1)).toISOString() } });
  await turnOf(id, 1);
  await advanceSeries(app.core, { campaignId: id, projectId: app.keys.projectId, now: nine(2) });
  expect(await get(id)).toMatchObject({ status: 'sent' });
  const cancelled = await evergreen();
  expect((await act(cancelled, 'cancel').expect(200)).body.data).toMatchObject({ status: 'cancelled' });
});

describe('faults', () => {
  test.each([
    [{ schedule: undefined }, 'evergreen'],
    [{ sendOnce: { key: 'own' } }, 'sendOnce'],
    [{ abSubjectB: 'Other' }, 'abSubjectB'],
  ])('%j', async (more, path) => {
    const content = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', fromEmail: 'team@hello.test' };
    const { body } = await api()
      .post('/v1/campaigns')
      .send({ ...content, evergreen: true, schedule: DAILY, ...more })
      .expect(422);
    expect(faultsOf(body)).toEqual([[path, 'invalid_combination']]);
  });

  test('a campaign that runs does not become evergreen, and an evergreen one stays so', async () => {
    const id = await evergreen();
    await api().patch(`/v1/campaigns/${id}`).send({ evergreen: false }).expect(409);
    await api().patch(`/v1/campaigns/${id}`).send({ subject: 'Changed' }).expect(200);
    const { body } = await act(id, 'duplicate').expect(201);
    expect(body.data).toMatchObject({ status: 'draft', evergreen: true, subject: 'Changed' });
  });
});

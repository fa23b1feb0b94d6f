import type { Intent } from '../../../../src/contracts/processes';
import type { SeriesOutlook } from '../../../../src/contracts/campaign';
import { advanceSeries } from '../../../../src/marketing/series';
import { aProject } from '../../../support/platform/app';
import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import type { WireCampaign } from '../../../support/calls/campaigns';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { act, api, contact, draft, finish, freeze, get } = campaignCalls(() => app);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Each day at nine; it begins before nine, tomorrow. */
const DAILY = { rrule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', timezone: 'UTC' };
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 8 * HOUR_MS;
/** Nine o'clock of the n-th day. */
const nine = (day: number): number => START + (day - 1) * DAY_MS + HOUR_MS;
const iso = (at: number): string => new Date(at).toISOString();

interface Turn {
  readonly number: number;
  readonly at: string;
  readonly status: string;
  readonly skipReason: string | null;
  readonly campaignId: string | null;
}

const look = (campaignId: string, now: number): Promise<SeriesOutlook> =>
  advanceSeries(app.core, { campaignId, projectId: app.keys.projectId, now });

async function series(schedule: object = {}, more: object = {}): Promise<string> {
  const { campaignId } = await draft({ schedule: { ...DAILY, ...schedule }, ...more });
  await act(campaignId, 'send', { scheduledFor: iso(START) }).expect(200);
  return campaignId;
}

const turns = async (id: string): Promise<Turn[]> =>
  ((await api().get(`/v1/campaigns/${id}/turns`).expect(200)).body as { data: Turn[] }).data.reverse();

/** Numbers of the turns with how each stands. */
const standing = async (id: string): Promise<string[]> =>
  (await turns(id)).map(({ number, at, status, skipReason }) => `${number} ${at.slice(0, 10)} ${skipReason ?? status}`);
const dayOf = (day: number): string => iso(nine(day)).slice(0, 10);

/** Sends and ends the campaign of the newest turn. */
async function endTurn(id: string): Promise<WireCampaign> {
  const childId = String((await turns(id)).at(-1)?.campaignId);
  await freeze(childId);
  await stored.recipients.changeAll({ campaignId: childId }, { status: 'skipped', skipReason: 'unsubscribed' });
  expect(await finish(childId)).toMatchObject({ pending: 0 });
  return get(childId);
}

const startsOf = (workflowId: string): readonly Intent[] =>
  (app.processes.start.mock.calls as [Intent][]).flatMap(([intent]) => (intent.workflowId === workflowId ? intent : []));

test('the plan of a campaign with a schedule is that of its first turn', async () => {
  const { campaignId } = await draft({ schedule: DAILY });
  const { body } = await act(campaignId, 'plan', { scheduledFor: iso(START) }).expect(200);
  expect(body.data.startsAt).toBe(iso(nine(1)));
  await act(campaignId, 'plan', { scheduledFor: iso(START), localTime: true }).expect(422);
});

test('sending a campaign with a schedule starts its series, which shows its next turn', async () => {
  const id = await series();
  const campaign = await get(id);
  expect(campaign).toMatchObject({
    status: 'sending',
    nextTurnAt: iso(nine(1)),
    turns: 0,
    schedule: { ...DAILY, until: null, count: null, catchUp: 'latest' },
    scheduledFor: null,
  });
  expect(startsOf(`campaign-series/${id}`)).toMatchObject([
    { workflow: 'campaignSeries', attributes: { campaignId: id, due: iso(nine(1)) }, lasts: true },
  ]);
  expect(await look(id, START)).toEqual({ waitsFor: 'turn', until: iso(nine(1)), nextAt: iso(nine(1)), turns: 0 });
  expect(await turns(id)).toEqual([]);
});

test('each instant has one turn, a campaign of its own, however many look at once', async () => {
  await contact(freshAddress());
  const id = await series();
  const looks = await Promise.all(Array.from({ length: 5 }, () => look(id, nine(1))));
  expect(new Set(looks.map(({ turns: count }) => count))).toEqual(new Set([1]));
  const [turn, ...others] = await turns(id);
  expect(others).toEqual([]);
  expect(turn).toMatchObject({ number: 1, at: iso(nine(1)), status: 'sending', skipReason: null });
  const child = await get(String(turn?.campaignId));
  expect(child).toMatchObject({
    name: 'News #1',
    subject: 'Hello',
    status: 'sending',
    turnOf: { seriesId: id, number: 1, at: iso(nine(1)) },
  });
  expect(child).not.toHaveProperty('schedule');
  expect(startsOf(`campaign/${child.campaignId}`)).toHaveLength(1);
  expect(await get(id)).toMatchObject({ status: 'sending', turns: 1, nextTurnAt: iso(nine(2)) });
  const sent = await endTurn(id);
  expect(sent).toMatchObject({ status: 'sent' });
  expect(Number(sent['totalRecipients'])).toBeGreaterThan(0);
  expect(await standing(id)).toEqual([`1 ${dayOf(1)} sent`]);
});

test('turns never overlap: the next one waits for the one before, and instants that pass meanwhile are missed', async () => {
  const id = await series();
  await look(id, nine(1));
  expect(await look(id, nine(2))).toMatchObject({ waitsFor: 'previous', until: iso(nine(2) + 60_000) });
  expect(await look(id, nine(3) + 60_000)).toMatchObject({ waitsFor: 'previous' });
  await endTurn(id);
  expect(await look(id, nine(3) + 120_000)).toMatchObject({ waitsFor: 'turn', until: iso(nine(4)) });
  expect(await standing(id)).toEqual([`1 ${dayOf(1)} sent`, `2 ${dayOf(2)} missed`, `3 ${dayOf(3)} sending`]);
});

describe('after an outage of two days and a half', () => {
  test.each([
    ['latest', ['1 missed', '2 missed', '3 sending']],
    ['skip', ['1 missed', '2 missed', '3 missed']],
  ])('%s', async (catchUp, expected) => {
    const id = await series({ catchUp });
    expect(await look(id, nine(3) + 12 * HOUR_MS)).toMatchObject({ waitsFor: 'turn', until: iso(nine(4)), turns: 3 });
    expect((await turns(id)).map(({ number, status, skipReason }) => `${number} ${skipReason ?? status}`)).toEqual(expected);
  });

  test.each(['latest', 'skip'])('ask: it is on hold until a person answers %s', async (missed) => {
    const id = await series({ catchUp: 'ask' });
    const late = nine(3) + 12 * HOUR_MS;
    expect(await look(id, late)).toEqual({ waitsFor: 'answer', until: null, nextAt: iso(nine(1)), turns: 0 });
    expect(await get(id)).toMatchObject({ status: 'sending', heldReason: 'missed_turns' });
    await act(id, 'resume', { missed }).expect(200);
    expect(await look(id, late)).toMatchObject({ waitsFor: 'turn', turns: 3 });
    expect(await get(id)).toMatchObject({ heldReason: null });
    expect((await turns(id)).map(({ status }) => status)).toEqual(['skipped', 'skipped', missed === 'latest' ? 'sending' : 'skipped']);
    if (missed === 'latest') await endTurn(id);
    // The answer was for those only.
    expect(await look(id, nine(5) + 12 * HOUR_MS)).toMatchObject({ waitsFor: 'answer' });
  });

  test('an instant that is minutes late is not missed', async () => {
    const id = await series({ catchUp: 'skip' });
    await look(id, nine(1) + 50 * 60_000);
    expect(await standing(id)).toEqual([`1 ${dayOf(1)} sending`]);
  });

  test('thousands of instants are settled', async () => {
    const id = await series({ rrule: undefined, cron: '*/30 * * * *' });
    await look(id, START + 10 * DAY_MS);
    expect(await get(id)).toMatchObject({ turns: 481 });
    const all = await stored.turns.all({ projectId: app.keys.projectId, _id: { $gt: `${id}/`, $lt: `${id}0` } });
    expect(all.filter(({ campaignId }) => campaignId !== null).map(({ at }) => at.toISOString())).toEqual([iso(START + 10 * DAY_MS)]);
  });
});

test('a change of the text is for the turns to come', async () => {
  const id = await series();
  await look(id, nine(1));
  const first = await endTurn(id);
  const { body } = await api().patch(`/v1/campaigns/${id}`).send({ subject: 'Changed' }).expect(200);
  expect(body.data).toMatchObject({ subject: 'Changed', status: 'sending' });
  await look(id, nine(2));
  expect((await get(first.campaignId))['subject']).toBe('Hello');
  expect((await get(String((await turns(id)).at(-1)?.campaignId)))['subject']).toBe('Changed');
  await api().patch(`/v1/campaigns/${id}`).send({ schedule: null }).expect(409);
  await act(id, 'revise', { subject: 'Corrected' }).expect(409);
  await act(id, 'resend-non-openers').expect(409);
});

test('a pause holds the series and the turn that is sent; resuming or its end lets both go on', async () => {
  const id = await series();
  await look(id, nine(1));
  const childId = String((await turns(id))[0]?.campaignId);
  await act(id, 'pause', { until: iso(nine(3) - HOUR_MS) }).expect(200);
  expect(await get(childId)).toMatchObject({ heldReason: 'paused' });
  expect(await look(id, nine(2))).toMatchObject({ waitsFor: 'pause', until: iso(nine(3) - HOUR_MS) });
  await act(id, 'resume').expect(200);
  expect(await get(childId)).toMatchObject({ heldReason: null });
  await endTurn(id);
  await act(id, 'pause', { until: iso(nine(3) - HOUR_MS) }).expect(200);
  expect(await look(id, nine(2))).toMatchObject({ waitsFor: 'pause' });
  expect(await look(id, nine(3) - HOUR_MS)).toMatchObject({ waitsFor: 'turn', until: iso(nine(3)) });
  expect(await standing(id)).toEqual([`1 ${dayOf(1)} sent`, `2 ${dayOf(2)} sending`]);
});

test('cancel ends the series and the turn that is sent', async () => {
  const id = await series();
  await look(id, nine(1));
  const { body } = await act(id, 'cancel').expect(200);
  expect(body.data).toMatchObject({ status: 'cancelled', nextTurnAt: null });
  expect(await standing(id)).toEqual([`1 ${dayOf(1)} cancelled`]);
  expect(await look(id, nine(2))).toMatchObject({ waitsFor: null });
  expect(await stored.campaigns.get(id)).toMatchObject({ phase: null });
  expect(await standing(id)).toHaveLength(1);
});

test('a turn that was begun while its series was cancelled is cancelled by the workflow', async () => {
  const id = await series();
  await look(id, nine(1));
  await stored.campaigns.change(id, { status: 'cancelled' });
  expect(await look(id, nine(2))).toMatchObject({ waitsFor: null });
  expect(await standing(id)).toEqual([`1 ${dayOf(1)} cancelled`]);
});

test.each([
  ['after its count', { count: 2 }],
  ['after its last instant', { until: iso(nine(2)) }],
])('a series ends %s, once its last turn is sent', async (_what, schedule) => {
  const id = await series(schedule);
  await look(id, nine(1));
  await endTurn(id);
  expect(await look(id, nine(2))).toMatchObject({ waitsFor: 'last', nextAt: null, turns: 2 });
  await endTurn(id);
  expect(await look(id, nine(3))).toMatchObject({ waitsFor: null });
  expect(await get(id)).toMatchObject({ status: 'sent', sentAt: iso(nine(3)), nextTurnAt: null, turns: 2 });
});

test('a turn that a send would refuse is skipped, and says why', async () => {
  const id = await series();
  await stored.campaigns.change(id, { fromEmail: 'team@elsewhere.test' });
  expect(await look(id, nine(1))).toMatchObject({ waitsFor: 'turn', turns: 1 });
  expect(await standing(id)).toEqual([`1 ${dayOf(1)} unverified_domain`]);
});

test('a deleted series leaves its turns behind as campaigns', async () => {
  const id = await series();
  await look(id, nine(1));
  const { campaignId } = await endTurn(id);
  await api().delete(`/v1/campaigns/${id}`).expect(409);
  await act(id, 'cancel').expect(200);
  await api().delete(`/v1/campaigns/${id}`).expect(200);
  expect(await get(campaignId)).toMatchObject({ status: 'sent', turnOf: { seriesId: id } });
});

describe('faults', () => {
  test.each([
    [{ rrule: 'FREQ=HOURLY', timezone: 'UTC' }, 'schedule.rrule', 'invalid_string'],
    [{ cron: '* * * * *', timezone: 'UTC' }, 'schedule.cron', 'invalid_string'],
    [{ ...DAILY, timezone: 'Mars/Olympus' }, 'schedule.timezone', 'invalid_string'],
    [{ ...DAILY, cron: '0 9 * * *' }, 'schedule.rrule', 'invalid_combination'],
    [{ timezone: 'UTC' }, 'schedule.rrule', 'invalid_combination'],
    [{ ...DAILY, count: 0 }, 'schedule.count', 'too_small'],
    [{ ...DAILY, catchUp: 'all' }, 'schedule.catchUp', 'invalid_enum_value'],
  ])('%j', async (schedule, path, code) => {
    const { body } = await api()
      .post('/v1/campaigns')
      .send({ name: 'News', subject: 'Hello', body: '<p>Hi</p>', fromEmail: 'team@hello.test', schedule })
      .expect(422);
    expect(faultsOf(body)).toEqual([[path, code]]);
  });

  test('a schedule whose end is before its start is refused when it is sent', async () => {
    const { campaignId } = await draft({ schedule: { ...DAILY, until: '2020-01-01T00:00:00Z' } });
    const { body } = await act(campaignId, 'send').expect(422);
    expect(faultsOf(body)).toEqual([['schedule', 'invalid_combination']]);
  });

  test('what turns decide, and what only series have', async () => {
    const { campaignId } = await draft({ schedule: DAILY, abSubjectB: 'Other' });
    const { body } = await act(campaignId, 'send', { abDecideAt: iso(nine(1)) }).expect(422);
    expect(faultsOf(body)).toEqual([['abDecideAt', 'invalid_combination']]);
    const local = await act(campaignId, 'send', { scheduledFor: iso(nine(1)), localTime: true }).expect(422);
    expect(faultsOf(local.body)).toEqual([['localTime', 'invalid_combination']]);
    const plain = await draft();
    await act(plain.campaignId, 'resume', { missed: 'skip' }).expect(422);
    expect((await api().get(`/v1/campaigns/${plain.campaignId}/turns`).expect(200)).body.data).toEqual([]);
    await act(await series(), 'resume', { missed: 'skip' }).expect(409);
  });
});

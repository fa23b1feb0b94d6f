import { DAY_MS, HOUR_MS, closedWindows, openingOf } from '../../../support/data/windows';
import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aProject } from '../../../support/platform/app';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { nextSendTime } from '../../../../src/marketing/campaigns/send-times';
import { CampaignModel } from '../../../../src/marketing/campaigns/model';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const smtp = aMailServer();
const app = aProject(() => ({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } }));
const host = aDeliveryHost(app);
const { draft, act, contact, freeze, rows, get, api } = campaignCalls(() => app);

beforeEach(async () => {
  await Promise.all([stored.emails.remove(), stored.contacts.remove()]);
});

const OPEN = { from: '00:00', until: '24:00' };
const iso = (ms: number): string => new Date(ms).toISOString();
/** A local date and time, some hours from now by UTC, without its offset. */
const reading = (hours: number): string => iso(Date.now() + hours * HOUR_MS).slice(0, 16);

async function people(...zones: readonly (string | null)[]): Promise<readonly string[]> {
  const emails = zones.map(() => freshAddress());
  for (const [index, timezone] of zones.entries()) await contact(emails[index] ?? '', { timezone });
  return emails;
}

async function frozen(campaign: object, launch: object = {}): Promise<string> {
  const { campaignId } = await draft(campaign);
  await act(campaignId, 'send', launch).expect(200);
  await CampaignModel.updateOne({ _id: campaignId }, { $set: { status: 'sending', testMode: false }, $min: { startedAt: new Date() } });
  await freeze(campaignId);
  return campaignId;
}

const turnsOf = async (id: string): Promise<Readonly<Record<string, string | null>>> =>
  Object.fromEntries(
    (await rows(id)).map(({ email, turnAt, status }) => [email, status === 'skipped' ? null : (turnAt?.toISOString() ?? 'now')]),
  );

const page = (campaignId: string, at: number, now = at) =>
  host.campaignPage({
    input: { campaignId, projectId: app.keys.projectId, from: '', to: null, subject: 'own', winner: null, turn: { at, now } },
    signal: new AbortController().signal,
  });

const received = () => smtp.messages.flatMap(({ to }) => to);

describe('the draft', () => {
  test('has windows of its own, which null takes away, and a copy has them too', async () => {
    const { campaignId, windows } = await draft({ windows: OPEN });
    expect(windows).toMatchObject({ ...OPEN, timezone: 'recipient' });
    expect((await act(campaignId, 'duplicate').expect(201)).body.data.windows).toEqual(windows);
    const { body } = await api().patch(`/v1/campaigns/${campaignId}`).send({ windows: null }).expect(200);
    expect(body.data).not.toHaveProperty('windows');
    expect(
      (
        await api()
          .patch(`/v1/campaigns/${campaignId}`)
          .send({ windows: { from: '1:00' } })
          .expect(422)
      ).body.details,
    ).not.toEqual([]);
  });

  test.each([
    [{ localTime: true }, 'scheduledFor', 'invalid_combination'],
    [{ passed: 'skip' }, 'passed', 'invalid_combination'],
    [{ fallback: 'UTC' }, 'fallback', 'invalid_combination'],
    [{ scheduledFor: reading(48) }, 'scheduledFor', 'invalid_string'],
    [{ scheduledFor: 'tomorrow', localTime: true }, 'scheduledFor', 'invalid_string'],
    [{ scheduledFor: '2026-02-31T09:00Z' }, 'scheduledFor', 'invalid_string'],
    [{ scheduledFor: '2027-02-29T09:00', localTime: true }, 'scheduledFor', 'invalid_string'],
    [{ scheduledFor: reading(-13), localTime: true }, 'scheduledFor', 'invalid_date'],
    [{ scheduledFor: iso(Date.now() - HOUR_MS) }, 'scheduledFor', 'invalid_date'],
    [{ scheduledFor: reading(48), localTime: true, fallback: 'Mars' }, 'fallback', 'invalid_string'],
  ])('is not sent with %j', async (launch, path, code) => {
    const { campaignId } = await draft();
    const { body } = await act(campaignId, 'send', launch).expect(422);
    expect(faultsOf(body)).toEqual([[path, code]]);
    expect(await get(campaignId)).toMatchObject({ status: 'draft' });
  });
});

describe('the frozen audience', () => {
  test('has no turns without windows and local time', async () => {
    await people('Asia/Tokyo', null);
    const id = await frozen({});
    expect(new Set(Object.values(await turnsOf(id)))).toEqual(new Set(['now']));
    expect(await stored.campaigns.get(id)).not.toHaveProperty('timing');
  });

  test('has its turns by the zone of each recipient', async () => {
    const [tokyo, lima, unknown] = await people('Asia/Tokyo', 'America/Lima', null);
    const id = await frozen({ windows: closedWindows({ fallback: 'Europe/Vienna' }) });
    expect(await turnsOf(id)).toEqual({
      [tokyo ?? '']: openingOf('Asia/Tokyo'),
      [lima ?? '']: openingOf('America/Lima'),
      [unknown ?? '']: openingOf('Europe/Vienna'),
    });
    expect((await get(id))['nextAt']).toBe(openingOf('Asia/Tokyo'));
  });

  test('goes by the project’s windows, if the campaign has none', async () => {
    const [one] = await people('UTC');
    await api().patch('/v1/settings').send({ windows: closedWindows() }).expect(200);
    const inherited = await frozen({});
    const own = await frozen({ windows: OPEN });
    await api().patch('/v1/settings').send({ windows: null }).expect(200);
    expect(await turnsOf(inherited)).toEqual({ [one ?? '']: openingOf('UTC') });
    expect(Date.parse((await turnsOf(own))[one ?? ''] ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('skips those whose window is closed, or opens too late, with the reason', async () => {
    await people('UTC');
    for (const [windows, window] of [
      [closedWindows({ outside: 'skip' }), 'closed'],
      [closedWindows({ expireAfter: { amount: 1, unit: 'days' } }), 'expired'],
    ] as const) {
      const id = await frozen({ windows });
      const { body } = await api().get(`/v1/campaigns/${id}/recipients`).expect(200);
      expect(body.data.data).toEqual([expect.objectContaining({ status: 'skipped', skipReason: 'limit_reached', skipDetail: { window } })]);
    }
  });

  test('at a local time, each at that reading of its own clock', async () => {
    const [kiritimati, pago] = await people('Pacific/Kiritimati', 'Pacific/Pago_Pago');
    const at = reading(48);
    const { campaignId } = await draft();
    const { body } = await act(campaignId, 'send', { scheduledFor: at, localTime: true }).expect(200);
    const wall = Date.parse(`${at}Z`);
    expect(body.data).toMatchObject({
      status: 'scheduled',
      scheduledFor: iso(wall - 14 * HOUR_MS),
      localTime: { at, passed: 'now', fallback: 'UTC' },
    });
    await CampaignModel.updateOne({ _id: campaignId }, { $set: { status: 'sending', phase: 'starting', startedAt: new Date() } });
    await freeze(campaignId);
    expect(await turnsOf(campaignId)).toEqual({ [kiritimati ?? '']: iso(wall - 14 * HOUR_MS), [pago ?? '']: iso(wall + 11 * HOUR_MS) });
  });

  test('an A/B test decides after the last turn of its sample, and its rest has turns after that', async () => {
    await people('Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC', 'UTC', 'UTC', 'UTC');
    const at = reading(48);
    const wall = Date.parse(`${at}Z`);
    const launch = { scheduledFor: at, localTime: true };
    const { campaignId } = await draft({ abSubjectB: 'B', abSamplePct: 50 });
    const early = await act(campaignId, 'send', { ...launch, abDecideAt: iso(wall + 10 * HOUR_MS) }).expect(422);
    expect(faultsOf(early.body)).toEqual([['abDecideAt', 'invalid_date']]);
    const decideAt = wall + 12 * HOUR_MS;
    await act(campaignId, 'send', { ...launch, abDecideAt: iso(decideAt) }).expect(200);
    await CampaignModel.updateOne({ _id: campaignId }, { $set: { status: 'sending', phase: 'starting', startedAt: new Date() } });
    await freeze(campaignId);
    const recipients = await rows(campaignId);
    expect(recipients).toHaveLength(6);
    const [rest, sample] = [recipients.filter(({ variant }) => variant === 'hold'), recipients.filter(({ variant }) => variant !== 'hold')];
    expect(rest).toHaveLength(3);
    for (const { turnAt } of rest) expect(turnAt?.getTime()).toBeGreaterThanOrEqual(decideAt);
    for (const { turnAt } of sample) expect(turnAt?.getTime()).toBeLessThanOrEqual(wall + 11 * HOUR_MS);
  });
});

describe('a turn', () => {
  test('is sent to those who have it alone, and the next one is found', async () => {
    const [tokyo, lima] = await people('Asia/Tokyo', 'America/Lima');
    const id = await frozen({ windows: closedWindows() });
    const [first, second] = [Date.parse(openingOf('Asia/Tokyo')), Date.parse(openingOf('America/Lima'))];
    const range = { campaignId: id, projectId: app.keys.projectId, from: '', to: null };
    expect(await nextSendTime({ ...range, after: null })).toEqual({ at: first, rows: 1 });
    expect(await page(id, first)).toMatchObject({ sent: 1, skipped: 0, done: true });
    expect(received()).toContain(tokyo);
    expect(received()).not.toContain(lima);
    expect(await nextSendTime({ ...range, after: first })).toEqual({ at: second, rows: 1 });
    expect(await page(id, second)).toMatchObject({ sent: 1, done: true });
    expect(await page(id, second)).toMatchObject({ sent: 0, done: true });
    expect(received().filter((to) => to === lima)).toHaveLength(1);
    expect(await nextSendTime({ ...range, after: second })).toBeNull();
  });

  test('that comes too late, as after a pause, moves to the next opening', async () => {
    const [one] = await people('UTC');
    const windows = closedWindows({ days: [1, 2, 3, 4, 5, 6, 7], from: '12:00', until: '18:00' });
    const id = await frozen({ windows });
    const opens = Date.parse(Object.values(await turnsOf(id))[0] ?? '');
    const late = Math.floor(opens / DAY_MS) * DAY_MS + 2 * DAY_MS + 20 * HOUR_MS;
    expect(await page(id, opens, late)).toMatchObject({ sent: 0, skipped: 0, done: true });
    expect(received()).not.toContain(one);
    expect(await turnsOf(id)).toEqual({ [one ?? '']: iso(late + 16 * HOUR_MS) });
  });

  test('goes by the zone that the contact has by then', async () => {
    const [one] = await people('Asia/Tokyo');
    const id = await frozen({ windows: closedWindows() });
    await contact(one ?? '', { timezone: 'America/Lima' });
    const at = Date.parse(openingOf('Asia/Tokyo'));
    expect(await page(id, at)).toMatchObject({ sent: 0, done: true });
    expect(await turnsOf(id)).toEqual({ [one ?? '']: openingOf('America/Lima') });
  });
});

describe('the plan', () => {
  const plan = async (id: string, launch: object = {}, status = 200) => (await act(id, 'plan', launch).expect(status)).body.data;

  test('says who gets it when, by which zone, and who never does, and changes nothing', async () => {
    await people('Asia/Tokyo', 'Asia/Tokyo', 'America/Lima', null);
    await contact(freshAddress(), { subscribed: false });
    const { campaignId } = await draft({ windows: closedWindows({ fallback: 'Asia/Tokyo' }) });
    const before = await stored.campaigns.get(campaignId);
    const { hours, ...rest } = await plan(campaignId);
    expect(rest).toMatchObject({
      recipients: 4,
      fallback: 1,
      late: 0,
      lastAt: openingOf('America/Lima'),
      never: [{ reason: 'unsubscribed', count: 1 }],
    });
    expect(hours).toEqual([
      { hour: openingOf('Asia/Tokyo'), count: 3, zones: [{ timezone: 'Asia/Tokyo', at: openingOf('Asia/Tokyo'), count: 3 }] },
      { hour: openingOf('America/Lima'), count: 1, zones: [{ timezone: 'America/Lima', at: openingOf('America/Lima'), count: 1 }] },
    ]);
    expect(await stored.campaigns.get(campaignId)).toEqual(before);
  });

  test('without windows, all get it at the start', async () => {
    await people('Asia/Tokyo', null);
    const { campaignId } = await draft();
    const at = iso(Date.now() + DAY_MS);
    expect(await plan(campaignId, { scheduledFor: at })).toMatchObject({ startsAt: at, lastAt: at, recipients: 2, fallback: 0, never: [] });
  });

  test('with a throttle, says how many their window closes on', async () => {
    await people('UTC', 'UTC', 'UTC', 'UTC');
    const { campaignId } = await draft({ windows: { ...closedWindows(), from: '12:00', until: '12:02' } });
    const { recipients, late, hours } = await plan(campaignId, { throttlePerMinute: 1 });
    expect({ recipients, late }).toEqual({ recipients: 4, late: 2 });
    expect(hours).toEqual([expect.objectContaining({ count: 2 }), expect.objectContaining({ count: 2 })]);
  });

  test('is refused once it is sending', async () => {
    await people('UTC');
    const id = await frozen({});
    const { body } = await act(id, 'plan').expect(409);
    expect(body.code).toBe('invalid_state');
  });
});

import type { CampaignPlan, RolloutChecked } from '../../../../src/contracts/campaign';
import { checkRollout } from '../../../../src/marketing/campaigns/rollout';
import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { rowsOf } from '../../../support/calls/lists';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { act, api, deliver, draft, freeze, get, rows, running } = campaignCalls(() => app);

const HOUR_MS = 3_600_000;
const hours = (amount: number) => ({ amount, unit: 'hours' });
/** A tenth, a half, and the rest, with an hour between them. */
const ROLLOUT = [{ percent: 10, wait: hours(1) }, { percent: 50, wait: hours(1) }, { percent: 100 }] as const;
const WINDOWS = { from: '09:00', until: '10:00' };

beforeEach(async () => {
  await Promise.all([stored.emails.remove(), stored.contacts.remove(), stored.campaigns.remove(), stored.providerHolds.remove()]);
});

interface WireStep {
  readonly state: string;
  readonly recipients: number | null;
  readonly checkAt: string | null;
  readonly result: object | null;
  readonly findings: readonly { readonly check: string; readonly detail: string }[];
}

const steps = async (id: string): Promise<readonly WireStep[]> => (await get(id))['rollout'] as readonly WireStep[];
const statesOf = async (id: string): Promise<readonly string[]> => (await steps(id)).map(({ state }) => state);

/** The workflow's look after a step, so many hours from now. */
const look = (campaignId: string, step: number, after = 0): Promise<RolloutChecked> =>
  checkRollout(app.core, { campaignId, projectId: app.keys.projectId, step, now: Date.now() + after * HOUR_MS });

/** Recipients of a step, in the order of the audience. */
async function recipientsIn(id: string, step: number) {
  const all = await steps(id);
  const before = all.slice(0, step).reduce((sum, { recipients }) => sum + (recipients ?? 0), 0);
  return (await rows(id)).slice(before, before + (all[step]?.recipients ?? 0));
}

/** A campaign to a hundred people whose first step is sent: the messages of the first of its ten recipients are as `wrong` says. */
async function firstStepSent(count: number, wrong: Parameters<typeof deliver>[1] = {}): Promise<string> {
  const id = await running(100, {}, { rollout: ROLLOUT });
  const sent = await recipientsIn(id, 0);
  await deliver(sent.slice(0, count), wrong);
  await deliver(sent.slice(count));
  await look(id, 0);
  return id;
}

/** A hold that is checked some minutes from now. */
const providerHold = (provider: string, since: Date) => ({
  _id: `${app.keys.projectId}/${provider}`,
  projectId: app.keys.projectId,
  provider,
  since,
  lastAt: new Date(),
  policy: 'dmarc' as const,
  reply: `550 5.7.26 ${provider} refuses it`,
  recent: 10,
  refused: 10,
  checks: 0,
  missing: [],
  nextCheckAt: new Date(Date.now() + 5 * HOUR_MS),
  probe: null,
  probeAt: null,
});

const BOUNCED = { status: 'bounced', bouncedAt: new Date(), bounceType: 'hard', deliveredAt: null } as const;

describe('a launch', () => {
  test.each<[string, unknown, string, string]>([
    ['one step', [{ percent: 100 }], 'rollout', 'too_small'],
    [
      'eleven steps',
      [...Array.from({ length: 10 }, (_, n) => ({ percent: n + 1, wait: hours(1) })), { percent: 100 }],
      'rollout',
      'too_big',
    ],
    ['shares that do not grow', [ROLLOUT[1], ROLLOUT[0], ROLLOUT[2]], 'rollout.1.percent', 'invalid_combination'],
    ['the same share twice', [ROLLOUT[0], ROLLOUT[0], ROLLOUT[2]], 'rollout.1.percent', 'invalid_combination'],
    ['an end before 100 percent', [ROLLOUT[0], { percent: 99 }], 'rollout.1.percent', 'invalid_combination'],
    ['a wait after the last step', [ROLLOUT[0], { percent: 100, wait: hours(1) }], 'rollout.1.wait', 'invalid_combination'],
    ['a step without its wait', [{ percent: 10 }, ROLLOUT[2]], 'rollout.0.wait', 'invalid_combination'],
    ['a share of 0', [{ percent: 0, wait: hours(1) }, ROLLOUT[2]], 'rollout.0.percent', 'too_small'],
    ['a broken share', [{ percent: 1.5, wait: hours(1) }, ROLLOUT[2]], 'rollout.0.percent', 'invalid_type'],
    ['no time to wait', [{ percent: 1, wait: hours(0) }, ROLLOUT[2]], 'rollout.0.wait.amount', 'too_small'],
    [
      'more than 30 days to wait',
      [{ percent: 1, wait: { amount: 31, unit: 'days' } }, ROLLOUT[2]],
      'rollout.0.wait.amount',
      'invalid_combination',
    ],
    ['an unknown unit', [{ percent: 1, wait: { amount: 1, unit: 'weeks' } }, ROLLOUT[2]], 'rollout.0.wait.unit', 'invalid_enum_value'],
    ['an unknown member', [{ ...ROLLOUT[0], until: 1 }, ROLLOUT[2]], 'rollout.0.until', 'unrecognized_keys'],
    ['no list', { percent: 100 }, 'rollout', 'invalid_type'],
  ])('with %s is refused', async (_name, rollout, path, code) => {
    const { campaignId } = await draft();
    const { body } = await act(campaignId, 'send', { rollout }).expect(422);
    expect(faultsOf(body)).toContainEqual([path, code]);
    expect((await get(campaignId)).status).toBe('draft');
  });

  test.each<[string, object, object]>([
    ['an A/B test', { abSubjectB: 'Other' }, {}],
    ['a schedule', { schedule: { rrule: 'FREQ=DAILY;BYHOUR=12;BYMINUTE=0', timezone: 'UTC' } }, {}],
    ['a local time', {}, { localTime: true, scheduledFor: new Date(Date.now() + 48 * HOUR_MS).toISOString().slice(0, 16) }],
    ['windows that skip recipients', { windows: { ...WINDOWS, outside: 'skip' } }, {}],
    ['windows that recipients miss', { windows: { ...WINDOWS, expireAfter: hours(1) } }, {}],
  ])('in steps is refused together with %s, and so is its plan', async (_name, content, launch) => {
    const { campaignId } = await draft(content);
    for (const asked of ['send', 'plan']) {
      const { body } = await act(campaignId, asked, { rollout: ROLLOUT, ...launch }).expect(422);
      expect([asked, faultsOf(body)]).toEqual([asked, [['rollout', 'invalid_combination']]]);
    }
  });

  test('is scheduled with its steps, which move with it, and are gone with it', async () => {
    const at = (days: number) => new Date(Date.now() + days * 24 * HOUR_MS).toISOString();
    const { campaignId } = await draft({ windows: WINDOWS });
    await act(campaignId, 'send', { rollout: ROLLOUT, scheduledFor: at(2) }).expect(200);
    const shown = ROLLOUT.map((step) => ({
      percent: step.percent,
      wait: 'wait' in step ? step.wait : null,
      state: 'pending',
      recipients: null,
      sentAt: null,
      checkAt: null,
      result: null,
      findings: [],
    }));
    expect((await get(campaignId))['rollout']).toEqual(shown);
    await act(campaignId, 'reschedule', { scheduledFor: at(3) }).expect(200);
    expect((await get(campaignId))['rollout']).toEqual(shown);
    await act(campaignId, 'unschedule').expect(200);
    expect(await get(campaignId)).not.toHaveProperty('rollout');
    await act(campaignId, 'send', {}).expect(200);
    expect(await get(campaignId)).not.toHaveProperty('rollout');
  });

  test('is planned with the waits of its steps', async () => {
    const id = await running(20);
    const { campaignId } = await draft();
    const scheduledFor = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS);
    const { body } = await act(campaignId, 'plan', { rollout: ROLLOUT, scheduledFor: scheduledFor.toISOString() }).expect(200);
    const planned = (body.data.hours as { hour: string; count: number }[]).map(({ hour, count }) => [
      (Date.parse(hour) - scheduledFor.getTime()) / HOUR_MS,
      count,
    ]);
    expect(planned).toEqual([
      [0, 2],
      [1, 8],
      [2, 10],
    ]);
    expect(await get(id)).not.toHaveProperty('rollout');
  });
});

describe('the frozen audience', () => {
  test.each([
    [100, [10, 40, 50]],
    [7, [1, 3, 3]],
    [1, [1, 0, 0]],
    [0, [0, 0, 0]],
  ])('of %i is divided among the steps, each recipient in one', async (size, expected) => {
    const id = await running(size, {}, { rollout: ROLLOUT });
    const { rollout = [] } = (await freeze(id)) ?? ({} as CampaignPlan);
    expect((await steps(id)).map(({ recipients }) => recipients)).toEqual(expected);
    expect(rollout.map((step) => step.rows)).toEqual(expected);
    const places = (await rows(id)).map(({ _id }) => _id.split('/')[1] ?? '');
    const inStep = (step: number) => {
      const [from, to] = [rollout[step - 1]?.to ?? (step === 0 ? '' : null), rollout[step]?.to ?? null];
      return from === null ? 0 : places.filter((place) => place >= from && (to === null || place < to)).length;
    };
    expect([0, 1, 2].map(inStep)).toEqual(expected);
  });
});

describe('after a step', () => {
  test('the campaign waits, and says until when; then the next step follows', async () => {
    const id = await firstStepSent(1, BOUNCED);
    expect(await statesOf(id)).toEqual(['waiting', 'pending', 'pending']);
    const [{ checkAt }] = (await steps(id)) as [WireStep];
    const { until } = await look(id, 0);
    expect(new Date(until ?? 0).toISOString()).toBe(checkAt);
    const ahead = await rowsOf(api(), '/v1/upcoming', { campaignId: id });
    expect(ahead).toEqual([{ at: checkAt, kind: 'rollout_step', campaignId: id }]);

    expect(await look(id, 0, 2)).toEqual({ state: 'passed', until: null, held: null });
    expect(await statesOf(id)).toEqual(['done', 'sending', 'pending']);
    expect((await steps(id))[0]?.result).toEqual({ sent: 10, bounced: 1, refused: 0, complained: 0, failed: 0 });
    expect(await rowsOf(api(), '/v1/upcoming', { campaignId: id })).toEqual([]);
    // Asked again, as by a worker that was killed before it answered.
    expect((await look(id, 0, 2)).state).toBe('passed');
  });

  test.each<[string, number, Parameters<typeof deliver>[1], string]>([
    ['bounced', 3, BOUNCED, 'bounces'],
    ['were refused', 3, { ...BOUNCED, bounceType: 'block' }, 'refusals'],
    ['were reported as spam', 3, { complainedAt: new Date(), status: 'complained' }, 'complaints'],
    ['failed', 3, { status: 'failed', deliveredAt: null }, 'failures'],
  ])('of which messages %s, the campaign is held, until a person resumes it', async (_name, count, wrong, check) => {
    const id = await firstStepSent(count, wrong);
    expect(await look(id, 0, 2)).toEqual({ state: 'held', until: null, held: 'rollout_stopped' });
    expect(await get(id)).toMatchObject({ status: 'sending', heldReason: 'rollout_stopped' });
    const [first] = (await steps(id)) as [WireStep];
    expect([first.state, first.findings]).toEqual(['held', [expect.objectContaining({ check, detail: '3 of 10 messages' })]]);
    const held = await stored.events.all({ name: 'email.campaign_held', 'data.campaignId': id });
    expect(held.map(({ data }) => data)).toEqual([expect.objectContaining({ reason: 'rollout_stopped' })]);
    // Nothing changes by itself.
    expect((await look(id, 0, 48)).state).toBe('held');

    await act(id, 'revise', { subject: 'Corrected' }).expect(200);
    expect((await act(id, 'resume').expect(200)).body.data.heldReason).toBeNull();
    expect((await look(id, 0, 48)).state).toBe('passed');
    expect(await statesOf(id)).toEqual(['done', 'sending', 'pending']);
    expect((await steps(id))[0]?.findings).toHaveLength(1);
  });

  test('two messages of a small step stop nothing, and what was accepted is not counted again', async () => {
    const id = await firstStepSent(2, BOUNCED);
    expect((await look(id, 0, 2)).state).toBe('passed');
    const second = await recipientsIn(id, 1);
    await deliver(second.slice(0, 2), BOUNCED);
    await deliver(second.slice(2));
    await look(id, 1, 2);
    expect((await look(id, 1, 4)).state).toBe('passed');
    expect((await steps(id))[1]?.result).toMatchObject({ sent: 40, bounced: 2 });
  });

  test('a provider that began to refuse the mail holds it until its hold is over; one from before the launch does not', async () => {
    const before = new Date();
    const id = await firstStepSent(0);
    await stored.providerHolds.make([providerHold('yahoo', before), providerHold('google', new Date())]);
    const checked = await look(id, 0, 2);
    expect(checked).toMatchObject({ state: 'held', held: 'provider_refuses', until: expect.any(Number) });
    expect((await get(id))['heldReason']).toBe('provider_refuses');
    expect((await steps(id))[0]?.findings.map(({ check, detail }) => [check, detail])).toEqual([
      ['provider_refuses', '550 5.7.26 google refuses it'],
    ]);
    await act(id, 'resume').expect(200);
    expect((await look(id, 0, 2)).state).toBe('passed');
    expect((await get(id))['heldReason']).toBeNull();
  });

  test('a paused campaign is judged when its pause is over', async () => {
    const id = await firstStepSent(0);
    await act(id, 'pause', {}).expect(200);
    expect(await look(id, 0, 2)).toEqual({ state: 'waits', until: null, held: 'paused' });
    const [first] = await recipientsIn(id, 0);
    await stored.emails.change(first?.emailId ?? '', { status: 'failed' });
    await act(id, 'resume').expect(200);
    expect((await look(id, 0, 2)).state).toBe('passed');
    expect((await steps(id))[0]?.result).toMatchObject({ failed: 1 });
  });

  test('a paused campaign whose rollout is stopped too goes on with one resume', async () => {
    const id = await firstStepSent(3, BOUNCED);
    await look(id, 0, 2);
    await act(id, 'pause', {}).expect(200);
    expect((await get(id))['paused']).toMatchObject({ alsoHeld: 'rollout_stopped' });
    await act(id, 'resume').expect(200);
    expect(await get(id)).toMatchObject({ heldReason: null });
    expect((await look(id, 0, 2)).state).toBe('passed');
  });

  test('while it only waits there is nothing to resume', async () => {
    const id = await firstStepSent(0);
    expect((await act(id, 'resume').expect(409)).body.code).toBe('invalid_state');
  });

  test('a cancel ends the rollout', async () => {
    const id = await firstStepSent(0);
    await act(id, 'cancel').expect(200);
    expect(await statesOf(id)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await rowsOf(api(), '/v1/upcoming', { campaignId: id })).toEqual([]);
    expect((await look(id, 0, 2)).state).toBe('over');
  });
});

import { beginCampaign, positionAfter } from '../../../../src/marketing/campaigns/freeze';
import type { Contact } from '../../../../src/audience/contacts/model';
import { aProject } from '../../../support/platform/app';
import { campaignCalls, hostOf, storeSegment } from '../../../support/calls/campaigns';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';
import { storeContacts } from '../../../support/data/people';

const app = aProject();
const keys = aFreshProject('Audience');

/** Each test has a project of its own; its test key needs no verified domain. */
const calls = campaignCalls(() => ({ ...app, keys, api: (key = keys.test) => app.api(key) }));
const { api, draft, get, act, contact, rows, freeze } = calls;

const count = async (audience: object): Promise<number> =>
  (await api().post('/v1/campaigns/audience-count').send(audience).expect(200)).body.data.count as number;
const suppress = (email: string, reason: string) => api().post('/v1/suppressions').send({ email, reason }).expect(201);

const segment = (members: readonly string[]): Promise<string> => storeSegment(keys.projectId, members);

/** Many contacts at once. */
function crowd(size: number, change: (index: number) => Partial<Contact> = () => ({})): Promise<string[]> {
  const at = new Date(Date.now() - 1_000);
  const made = (index: number) => [`crowd${index}@example.com`, { createdAt: at, updatedAt: at, ...change(index) }] as const;
  return storeContacts(
    keys.projectId,
    Array.from({ length: size }, (_, index) => made(index)),
  );
}

async function send(more: object = {}): Promise<string> {
  const { campaignId } = await draft(more);
  await act(campaignId, 'send').expect(200);
  return campaignId;
}

const FILTER = { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] };

test('a campaign reaches contacts that are subscribed and not suppressed, once: counted, estimated and frozen alike', async () => {
  const ids = {
    in: await contact('in@example.com', { data: { plan: 'pro' } }),
    other: await contact('other@example.com', { data: { plan: 'free' } }),
    out: await contact('out@example.com', { subscribed: false, data: { plan: 'pro' } }),
  };
  const suppressed: string[] = [];
  for (const reason of ['hard_bounce', 'complaint', 'manual', 'unsubscribe']) {
    suppressed.push(await contact(`${reason}@example.com`, { data: { plan: 'pro' } }));
    await suppress(`${reason}@example.com`, reason);
  }
  await suppress('nobody@example.com', 'manual');
  const segmentId = await segment([ids.in, ids.out, 'ctc_gone', suppressed[1] ?? '']);
  const none = { hard_bounce: 0, complaint: 0, manual: 0, unsubscribe: 0 };
  const leftOut = (each: number, more: object = {}) => ({
    unsubscribed: 1,
    suppressed: { ...Object.fromEntries(Object.keys(none).map((reason) => [reason, each])), ...more },
  });
  const audiences = [
    [{ audience: 'all' }, ['in@example.com', 'other@example.com'], { named: 7, leftOut: leftOut(1) }],
    [{ audience: 'filter', filter: FILTER }, ['in@example.com'], { named: 6, leftOut: leftOut(1) }],
    [{ audience: 'segment', segmentId }, ['in@example.com'], { named: 3, leftOut: leftOut(0, { complaint: 1 }) }],
  ] as const;
  for (const [audience, reached, breakdown] of audiences) {
    expect(await count(audience)).toBe(reached.length);
    const { body } = await api().post('/v1/campaigns/audience-breakdown').send(audience).expect(200);
    expect(body.data).toEqual({ count: reached.length, ...breakdown });
    const { campaignId } = await draft(audience);
    expect((await get(campaignId))['estimatedAudience']).toBe(reached.length);
    await act(campaignId, 'send').expect(200);
    expect(await freeze(campaignId)).toEqual({ total: reached.length, throttlePerMinute: null, ab: null, pageRows: 1_920, pagesAtOnce: 3 });
    const frozen = await rows(campaignId);
    expect(frozen.map(({ email }) => email).sort()).toEqual(reached);
    expect(await get(campaignId)).toMatchObject({ totalRecipients: reached.length, estimatedAudience: null, status: 'sending' });
  }
});

test('a count refuses what is not there or not right', async () => {
  expect(
    (await api().post('/v1/campaigns/audience-count').send({ audience: 'segment', segmentId: 'seg_unknown' }).expect(404)).body.code,
  ).toBe('not_found');
  const { body } = await api()
    .post('/v1/campaigns/audience-count')
    .send({ audience: 'filter', filter: { logic: 'or', groups: [{ filters: [{ field: 'nonsense', operator: 'equals', value: 1 }] }] } })
    .expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path: 'filter.groups.0.filters.0.field', code: 'invalid_condition' })]);
  for (const audience of ['segment', 'filter']) await api().post('/v1/campaigns/audience-count').send({ audience }).expect(422);
  await api().post('/v1/campaigns/audience-breakdown').send({ audience: 'segment', segmentId: 'seg_unknown' }).expect(404);
});

test('contacts made after the start are out, contacts of other projects too', async () => {
  await contact('before@example.com');
  await app.api(app.keys.secret).post('/v1/contacts').send({ email: 'elsewhere@example.com' }).expect(201);
  const campaignId = await send();
  await crowd(1, () => ({ createdAt: new Date(Date.now() + 1_000) }));
  await freeze(campaignId);
  expect((await rows(campaignId)).map(({ email }) => email)).toEqual(['before@example.com']);
});

test('a scheduled campaign is frozen when it begins, by the time at which it begins', async () => {
  const { campaignId } = await draft();
  await act(campaignId, 'send', { scheduledFor: new Date(Date.now() + 60_000).toISOString() }).expect(200);
  const key = { campaignId, projectId: keys.projectId };
  expect(await freeze(campaignId)).toBeNull();
  await contact('late@example.com');
  const now = new Date(Date.now() + 60_000);
  expect(await beginCampaign(key, now)).toBe(true);
  expect(await beginCampaign(key, new Date(now.getTime() + 1_000))).toBe(true);
  expect((await stored.campaigns.get(campaignId)).startedAt).toEqual(now);
  expect(await freeze(campaignId)).toMatchObject({ total: 1 });
  await act(campaignId, 'cancel').expect(200);
  expect(await beginCampaign(key, now)).toBe(false);
  expect(await freeze(campaignId)).toBeNull();
});

test.each(['segment', 'filter'])('a campaign waits for a segment whose editor died (%s)', async (audience) => {
  await crowd(3, (index) => ({ data: { plan: index === 0 ? 'free' : 'pro' } }));
  const made = await api().post('/v1/segments').send({ name: 'Pro', type: 'dynamic', conditions: FILTER }).expect(201);
  const segmentId = made.body.data.segmentId as string;
  const filter = { logic: 'and', groups: [{ filters: [{ field: `segment.${segmentId}`, operator: 'memberOf' }] }] };
  const campaignId = await send(audience === 'segment' ? { audience, segmentId } : { audience, filter });
  await stored.segments.change(segmentId, { $set: { computing: true, memberCount: 0 }, $inc: { revision: 1 } });
  await stored.members.remove({ segmentId });
  expect(await freeze(campaignId)).toMatchObject({ total: 2 });
});

test('a freeze that was killed goes on, and writes no recipient twice', async () => {
  await crowd(12_000, (index) => ({ subscribed: index % 4 !== 0 }));
  const campaignId = await send();
  let beats = 0;
  const abort = new AbortController();
  const beat = (): void => {
    beats += 1;
    if (beats === 2) abort.abort(new Error('Killed'));
  };
  await expect(freeze(campaignId, hostOf({ beat, signal: abort.signal }))).rejects.toThrow('Killed');
  const before = await stored.recipients.count({ campaignId });
  expect(before).toBeGreaterThan(5_000);
  const killed = await stored.campaigns.one(campaignId);
  expect(killed).toMatchObject({ audienceSize: 0, frozenTo: expect.any(String) });
  // The page after the one that was noted had been written too; the pages before it are not read again.
  const first = await stored.recipients.get({ campaignId, contactId: { $lte: killed?.frozenTo ?? '' } });
  await stored.recipients.remove(first._id);
  const short = await freeze(campaignId);
  expect(short?.total).toBe(8_999);
  await stored.recipients.collection.insertOne(first);
  const [plan, again] = [await freeze(campaignId), await freeze(campaignId)];
  expect([plan, again]).toEqual([plan, plan]);
  expect(plan?.total).toBe(9_000);
  const frozen = await rows(campaignId);
  expect(new Set(frozen.map(({ contactId }) => contactId)).size).toBe(9_000);
  expect(new Set(frozen.map(({ emailId }) => emailId)).size).toBe(9_000);
});

test('two workers that freeze the same audience write it once', async () => {
  await crowd(6_000);
  const campaignId = await send();
  await Promise.all([freeze(campaignId), freeze(campaignId)]);
  expect(await stored.recipients.count({ campaignId })).toBe(6_000);
  expect((await get(campaignId))['totalRecipients']).toBe(6_000);
});

test('a contact that changes during the freeze is in once or not at all', async () => {
  const ids = await crowd(6_000);
  const campaignId = await send();
  const flips = Promise.all(
    ids.slice(0, 200).map((_id, index) => stored.contacts.change(_id, { subscribed: index % 2 === 0, updatedAt: new Date() })),
  );
  await Promise.all([freeze(campaignId), flips]);
  const frozen = (await rows(campaignId)).map(({ contactId }) => contactId);
  expect(new Set(frozen).size).toBe(frozen.length);
  expect(frozen.length).toBeGreaterThanOrEqual(5_900);
  expect((await get(campaignId))['totalRecipients']).toBe(frozen.length);
});

describe('an experiment', () => {
  const variants = async (campaignId: string): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { variant } of await rows(campaignId)) counts[String(variant)] = (counts[String(variant)] ?? 0) + 1;
    return counts;
  };

  test.each([
    [101, 20, { a: 10, b: 10, hold: 81 }],
    [10, 1, { a: 1, b: 1, hold: 8 }],
    [9, 100, { a: 5, b: 4 }],
    [1, 20, { a: 1 }],
  ])('of %i with %i %% is split evenly, the rest on hold', async (size, abSamplePct, expected) => {
    await crowd(size);
    const campaignId = await send({ abSubjectB: 'B', abSamplePct });
    const plan = await freeze(campaignId);
    expect(await variants(campaignId)).toEqual(expected);
    const sample = size - ('hold' in expected ? expected.hold : 0);
    expect(plan).toMatchObject({ total: size, ab: { sample, decideAt: (await get(campaignId))['abDecideAt'] } });
    const frozen = await rows(campaignId);
    expect(plan?.ab?.boundary ?? null).toBe(frozen[sample]?._id.slice(campaignId.length + 1) ?? null);
  });

  test('marked again after a crash, it is the same sample', async () => {
    await crowd(300);
    const campaignId = await send({ abSubjectB: 'B', abSamplePct: 50 });
    const plan = await freeze(campaignId);
    const before = await rows(campaignId);
    await stored.recipients.changeAll({ campaignId, variant: 'b' }, { variant: 'hold' });
    expect(await freeze(campaignId)).toEqual(plan);
    expect(await rows(campaignId)).toEqual(before);
  });
});

test('a throttled page has exactly as many recipients as asked for', async () => {
  await crowd(25);
  const campaignId = await send({});
  await freeze(campaignId);
  const key = { campaignId, projectId: keys.projectId };
  const places = (await rows(campaignId)).map(({ _id }) => _id.slice(campaignId.length + 1));
  expect(await positionAfter({ ...key, from: '', to: null, rows: 10 })).toBe(places[10]);
  expect(await positionAfter({ ...key, from: places[10] ?? '', to: null, rows: 10 })).toBe(places[20]);
  expect(await positionAfter({ ...key, from: places[20] ?? '', to: null, rows: 10 })).toBeNull();
  expect(await positionAfter({ ...key, from: '', to: places[10] ?? '', rows: 10 })).toBeNull();
  expect(await positionAfter({ ...key, from: '', to: places[10] ?? '', rows: 9 })).toBe(places[9]);
});

test('each query of a freeze and of a count has an index', async () => {
  await crowd(20);
  const segmentId = await segment(['ctc_1']);
  const campaignId = await send({ abSubjectB: 'B' });
  const work = async (): Promise<void> => {
    await freeze(campaignId);
    for (const audience of [{ audience: 'all' }, { audience: 'segment', segmentId }, { audience: 'filter', filter: FILTER }])
      await count(audience);
  };
  for (const collection of ['contacts', 'campaign_recipients', 'segment_members', 'suppressions']) {
    await stored.campaigns.change(campaignId, { phase: 'starting' });
    const plans = await queryPlans(collection, work);
    expect(plans.length).toBeGreaterThan(0);
    for (const { plan, sorted } of plans)
      expect([collection, plan, sorted]).toEqual([collection, expect.stringMatching(/IXSCAN|IDHACK|COUNT_SCAN|EOF/), false]);
  }
});

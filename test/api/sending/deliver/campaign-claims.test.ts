import { laterCounts } from '../../../../src/sending/deliver/counts';
import { recordReturned } from '../../../../src/sending/deliver/returned';
import type { Outcome } from '../../../../src/records/emails/attempts';
import { toRow } from '../../../../src/records/emails/row';
import { insertWrittenRows } from '../../../../src/records/emails/ledger';
import { HitRecorder } from '../../../../src/sending/tracking/record';
import { aProject } from '../../../support/platform/app';
import { campaignCalls, hit } from '../../../support/calls/campaigns';
import { ACCEPTED, ALL_NAMES, claimCalls, ofMessage } from '../../../support/calls/campaign-claims';
import { claimedNow } from '../../../support/data/claims';
import { listen } from '../../../support/platform/fan-out';
import { eventually } from '../../../support/platform/platform';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const KINDS = ['contacts', 'emails', 'events', 'campaignClaims', 'mailHours'] as const;
beforeEach(() => Promise.all(KINDS.map((kind) => stored[kind].remove())));

const { running, api, finish } = campaignCalls(() => app);
const { accepted, claimed, events, namesOf, record, store, takeOver } = claimCalls(() => app);
const statuses = async (): Promise<string[]> => (await stored.emails.all({}, { _id: 1 })).map(({ status }) => status);

describe('killed', () => {
  const creditsUsed = async (): Promise<number> =>
    (await api().get('/v1/billing').expect(200)).body.data.categories.campaign.used as number;

  test('before it has begun, a claim is given up with its credits: nothing was sent', async () => {
    const campaignId = await running(2);
    const before = await creditsUsed();
    const { emails } = await claimed(campaignId, false);

    expect(await takeOver()).toEqual([]);

    expect([await claimedNow(), await stored.emails.count()]).toEqual([[], 0]);
    expect(await creditsUsed()).toBe(before - emails.length);
  });

  test('after it has begun, its messages go into the queue with the Message-ID that they had', async () => {
    const { emails, attempt } = await claimed(await running(2));
    expect((await takeOver()).length).toBe(1);
    const found = await stored.emails.all({}, { _id: 1 });
    const wanted = [...emails].sort((a, b) => (a._id < b._id ? -1 : 1));
    expect(found.map(({ _id, messageId, status, attempts }) => ({ _id, messageId, status, attempts }))).toEqual(
      wanted.map(({ _id, messageId }) => ({ _id, messageId, status: 'queued', attempts: 1 })),
    );
    expect(found.every(({ dueAt, createdAt }) => dueAt && createdAt.getTime() === attempt.at.getTime())).toBe(true);
    expect(await claimedNow()).toEqual([]);
  });

  test('after some rows: those keep what they say, with their events; the others go into the queue', async () => {
    const wire = await claimed(await running(4));
    const [first] = accepted(wire) as [Outcome, ...Outcome[]];
    await insertWrittenRows([{ ...toRow(first.email, first.set), holdsQueued: 'at_once', holds: 'delivered', response: ACCEPTED }]);
    await Promise.all([takeOver(), takeOver()]);
    expect((await statuses()).sort()).toEqual(['delivered', ...Array<string>(wire.emails.length - 1).fill('queued')]);
    expect(await namesOf(first.email._id)).toEqual(ALL_NAMES);
    expect((await events()).length).toBe(3);
    expect(await claimedNow()).toEqual([]);
  });

  test('after everything but the end of the claim, nothing happens twice', async () => {
    const wire = await claimed(await running(3));
    await record(wire);
    const before = await events();
    await store({
      _id: wire.attempt.id,
      projectId: app.keys.projectId,
      campaignId: wire.emails[0]?.campaignId ?? '',
      testMode: false,
      page: 'cmp/',
      worker: 'wrk_lost',
      at: wire.attempt.at,
      begun: true,
      month: null,
      contents: [''],
      emails: wire.emails.map(({ _id }) => _id),
      contacts: wire.recipients.map(({ contactId }) => contactId),
      to: wire.recipients.map(({ email }) => email),
    });
    await takeOver();
    expect(new Set(await statuses())).toEqual(new Set(['delivered']));
    expect(await events()).toEqual(before);
    expect(await stored.events.count({ name: /^email\.(?!campaign_)/ })).toBe(0);
  });

  test('where somebody listens, events that were not stored are made up for, once', async () => {
    await listen(app.keys.projectId, 'email.delivered');
    const wire = await claimed(await running(2));
    const [first] = accepted(wire) as [Outcome, ...Outcome[]];
    await insertWrittenRows([toRow(first.email, first.set)]);
    await takeOver();
    expect((await namesOf(first.email._id)).sort()).toEqual([...ALL_NAMES].sort());
    await listen(app.keys.projectId);
  });
});

test('a worker that lives and is late settles what was taken over, and its events are there once', async () => {
  const campaignId = await running(3);
  const wire = await claimed(campaignId);
  await takeOver();
  await record(wire);
  await laterCounts(app.core).inCampaigns.flush();
  expect(new Set(await statuses())).toEqual(new Set(['delivered']));
  for (const { _id } of wire.emails) expect((await namesOf(_id)).sort()).toEqual([...ALL_NAMES].sort());
  expect((await stored.campaigns.get(campaignId)).counters.delivered).toBe(wire.emails.length);
});

test('recipients whose messages are on the wire are sent: a campaign does not wait for them, and a cancel does not skip them', async () => {
  const campaignId = await running(3);
  const wire = await claimed(campaignId);
  const { body } = await api().get(`/v1/campaigns/${campaignId}/recipients`).query({ status: 'sent' }).expect(200);
  expect((body.data.data as object[]).length).toBe(wire.emails.length);
  expect(await finish(campaignId)).toEqual({ pending: 0, sent: wire.emails.length, skipped: 0 });
  await stored.campaigns.change(campaignId, { status: 'cancelled' });
  expect(await finish(campaignId, true)).toEqual({ pending: 0, sent: wire.emails.length, skipped: 0 });
});

test('a contact that was deleted meanwhile gets nothing more: its message is cancelled, and its credit given back', async () => {
  const wire = await claimed(await running(2));
  await api().delete(`/v1/contacts/${wire.recipients[0]?.contactId}`).expect(200);
  await takeOver();
  expect((await statuses()).sort()).toEqual(['cancelled', ...Array<string>(wire.emails.length - 1).fill('queued')]);
  expect((await events({ name: 'email.cancelled' })).map(({ emailId }) => emailId)).toEqual([wire.recipients[0]?.emailId]);
});

test('an open that comes before the row is counted when the row is there', async () => {
  const campaignId = await running(2);
  const wire = await claimed(campaignId);
  const recorded = new HitRecorder(false).record(hit(wire.emails[0]?._id ?? '', null));
  await record(wire);
  await recorded;
  expect(await stored.emails.count({ opens: 1, status: 'opened' })).toBe(1);
  expect((await stored.campaigns.get(campaignId)).counters.opened).toBe(1);
});

test('a report that comes before the row is asked for again', async () => {
  const wire = await claimed(await running(1));
  const report = { kind: 'bounced', suppresses: 'never', bounceType: 'soft', error: '452', at: new Date() } as const;
  const emailId = wire.emails[0]?._id ?? '';
  expect(await recordReturned(app.core, emailId, report)).toBe(false);
  await record(wire);
  expect(await recordReturned(app.core, emailId, report)).toBe(true);
  const stats = (await api().get('/v1/stats').expect(200)).body.data.totals as { delivered: number; bounced: number; sent: number };
  expect(stats).toMatchObject({ sent: wire.emails.length, delivered: wire.emails.length - 1, bounced: 1 });
});

describe('events of campaign mail are read from its rows', () => {
  test('in lists, timelines, names, counts and conditions, page by page', async () => {
    const wire = await claimed(await running(5));
    await record(wire);
    expect(await stored.events.count({ name: /^email\.(?!campaign_)/ })).toBe(0);
    const [someone] = wire.recipients;
    const all = await events();
    expect(all.length).toBe(3 * wire.emails.length);
    const walked: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { body } = await api()
        .get('/v1/events')
        .query({ limit: 4, ...(cursor && { cursor }) })
        .expect(200);
      walked.push(...(body.data as unknown[]));
      cursor = body.nextCursor as string | null;
    }
    expect((walked as { name: string }[]).filter(ofMessage)).toEqual(all);
    const ofContact = await events({ contactId: someone?.contactId });
    expect(ofContact).toEqual(all.filter(({ contactId }) => contactId === someone?.contactId));
    expect(ofContact.map(({ name }) => name)).toEqual(ALL_NAMES);
    expect(ofContact[0]?.data).toEqual({ source: 'campaign', response: ACCEPTED });
    const names = (await api().get('/v1/events/names').expect(200)).body.data.data as { name: string; count: number }[];
    for (const name of ALL_NAMES) expect(names.find((one) => one.name === name)?.count).toBe(wire.emails.length);
    const { body } = await api().get('/v1/events/stats').query({ name: 'email.sent' }).expect(200);
    expect(body.data.total).toBe(wire.emails.length);
    const conditions = { logic: 'and', groups: [{ filters: [{ field: 'event.email.delivered', operator: 'triggered' }] }] };
    const preview = await api().post('/v1/segments/preview').send({ conditions }).expect(200);
    expect(preview.body.data?.count).toBe(wire.emails.length);
  });

  test('along indexes', async () => {
    const wire = await claimed(await running(5));
    await record(wire);
    const contactId = wire.recipients[0]?.contactId;
    for (const collection of ['emails', 'campaign_claims']) {
      const plans = await queryPlans(collection, async () => {
        await events({ contactId });
        await events();
        await takeOver();
      });
      for (const { plan } of plans) expect(plan).toMatch(/^(IXSCAN|IDHACK|DISTINCT_SCAN|EXPRESS)/);
    }
    await eventually('claims are gone', async () => (await claimedNow()).length === 0);
  });
});

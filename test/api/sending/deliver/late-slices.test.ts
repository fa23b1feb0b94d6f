import { untilDone } from '../../../../src/platform/async';
import type { Outcome } from '../../../../src/records/emails/attempts';
import { laterCounts } from '../../../../src/sending/deliver/counts';
import { answerOutcome } from '../../../../src/sending/deliver/outcome';
import { ALL_NAMES, claimCalls } from '../../../support/calls/campaign-claims';
import { campaignCalls } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const KINDS = ['contacts', 'emails', 'events', 'campaignClaims', 'mailHours', 'deliveryCounts', 'suppressions'] as const;

beforeEach(async () => {
  await flushed();
  await Promise.all(KINDS.map((kind) => stored[kind].remove()));
});
afterEach(() => jest.restoreAllMocks());

const { running, api } = campaignCalls(() => app);
const { accepted, claimed, events, namesOf, record, takeOver } = claimCalls(() => app);

async function flushed(): Promise<void> {
  const { deliveries, inCampaigns } = laterCounts(app.core);
  await Promise.all([deliveries.flush(), inCampaigns.flush()]);
}

/** The answer to the next write that settles messages is lost. */
function loseAnswer(): jest.SpyInstance {
  const { collection } = stored.emails;
  const write = collection.bulkWrite.bind(collection);
  return jest.spyOn(collection, 'bulkWrite').mockImplementationOnce(async (...args: Parameters<typeof write>) => {
    await write(...args);
    throw new Error('connection closed');
  });
}

/** What lists, names and statistics say of how often an event happened. */
async function countsOf(name: string): Promise<number[]> {
  const listed = (await events({ name })).length;
  const names = (await api().get('/v1/events/names').expect(200)).body.data.data as { name: string; count: number }[];
  const { total } = (await api().get('/v1/events/stats').query({ name }).expect(200)).body.data as { total: number };
  const { totals } = (await api().get('/v1/stats').expect(200)).body.data as { totals: Record<string, number> };
  return [listed, names.find((one) => one.name === name)?.count ?? 0, total, totals[name.replace('email.', '')] ?? 0];
}

async function reputation(): Promise<{ sent: number; bounced: number }> {
  await flushed();
  const hours = await stored.deliveryCounts.all();
  return { sent: hours.reduce((sum, { sent }) => sum + sent, 0), bounced: hours.reduce((sum, { bounced }) => sum + bounced, 0) };
}

const times = (count: number): number[] => Array<number>(4).fill(count);

describe('a slice of a worker that lives and is late, whose record is tried again', () => {
  test('counts each message once, taken over or not', async () => {
    const campaignId = await running(4);
    const wire = await claimed(campaignId);
    await takeOver();
    // Its row is written by the late worker.
    await stored.emails.remove(wire.emails[0]?._id ?? '');
    const settling = loseAnswer();

    await record(wire, undefined, untilDone);

    expect(settling).toHaveBeenCalled();
    expect(new Set((await stored.emails.all()).map(({ status }) => status))).toEqual(new Set(['delivered']));
    for (const { _id } of wire.emails) expect((await namesOf(_id)).sort()).toEqual([...ALL_NAMES].sort());
    expect(await countsOf('email.sent')).toEqual(times(4));
    expect(await countsOf('email.delivered')).toEqual(times(4));
    expect(await stored.emails.count({ holds: 'delivered' })).toBe(1);
    expect(await reputation()).toEqual({ sent: 4, bounced: 0 });
    expect((await stored.campaigns.get(campaignId)).counters.delivered).toBe(4);
  });

  test('counts hard bounces once in the reputation', async () => {
    const wire = await claimed(await running(3));
    await takeOver();
    await stored.emails.remove(wire.emails[0]?._id ?? '');
    const reply = { code: 550, enhanced: '5.1.1', text: '5.1.1 No such user' };
    const refusal = { accepted: false, phase: 'rcpt', cause: 'reply', reply, inDoubt: false, message: '' } as const;
    const rules = { route: 'smarthost', retrySeconds: [1], acceptedIsDelivered: true } as const;
    const refused = wire.emails.map((email): Outcome => answerOutcome(email, refusal, rules, new Date()));
    const settling = loseAnswer();

    await record(wire, refused, untilDone);

    expect(settling).toHaveBeenCalled();
    expect((await stored.emails.all()).map(({ status }) => status)).toEqual(['bounced', 'bounced', 'bounced']);
    expect(await reputation()).toEqual({ sent: 3, bounced: 3 });
    expect(await countsOf('email.bounced')).toEqual(times(3));
  });
});

test('a message that was cancelled when it was taken over, and had been sent, counts where it is listed', async () => {
  const wire = await claimed(await running(3));
  await api().delete(`/v1/contacts/${wire.recipients[0]?.contactId}`).expect(200);
  await takeOver();

  await record(wire, accepted(wire), untilDone);

  expect((await stored.emails.all()).map(({ status }) => status).sort()).toEqual(['cancelled', 'delivered', 'delivered']);
  expect(await countsOf('email.sent')).toEqual(times(3));
});

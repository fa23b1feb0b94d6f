import { aProject } from '../../../support/platform/app';
import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { beforeEachBeginning, campaignPages } from '../../../support/calls/campaign-pages';
import { topicCalls } from '../../../support/calls/topics';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, LEDGER_CHUNK: '8' },
}));
const host = aDeliveryHost(app);
const { api, act, contact, draft, freeze, get, rows, running } = campaignCalls(() => app);
const { topic, leave, join } = topicCalls(() => app);

beforeEach(async () => {
  await Promise.all([stored.emails.remove(), stored.contacts.remove(), stored.suppressions.remove()]);
});

afterEach(() => jest.restoreAllMocks());

const { wholePage } = campaignPages(
  () => app,
  () => host,
);
const recipients = async (id: string, status: string) =>
  (await api().get(`/v1/campaigns/${id}/recipients`).query({ status, limit: 1_000 }).expect(200)).body.data.data as {
    contactId: string;
    skipReason: string | null;
    skipDetail?: object;
  }[];
const count = async (body: object) => (await api().post('/v1/campaigns/audience-count').send(body).expect(200)).body.data.count as number;
const breakdown = async (body: object) => (await api().post('/v1/campaigns/audience-breakdown').send(body).expect(200)).body.data as object;

/** One who is in by choice, one who left, one who said nothing, one who is unsubscribed and one who is suppressed, each in no topic either. */
async function audienceOf(news: { topicId: string; key: string }) {
  const [into, out, silent, unsubscribed, suppressed] = [
    await contact(freshAddress()),
    await contact(freshAddress()),
    await contact(freshAddress()),
    await contact(freshAddress(), { subscribed: false }),
    await contact(freshAddress()),
  ] as const;
  await join(into, news);
  for (const id of [out, unsubscribed, suppressed]) await leave(id, news);
  await api()
    .post('/v1/contacts/bulk')
    .send({ action: 'suppress', contactIds: [suppressed] })
    .expect(200);
  return { into, out, silent };
}

describe.each(['in', 'out'] as const)('with a topic that contacts are %s by default', (defaultSubscription) => {
  test('the audience, its count and its breakdown are those who are in it', async () => {
    const news = await topic({ defaultSubscription });
    const { into, silent } = await audienceOf(news);
    const wanted = defaultSubscription === 'in' ? [into, silent].sort() : [into];
    const segment = (await api().post('/v1/segments').send({ name: 'All', type: 'static' }).expect(201)).body.data.segmentId as string;
    const emails = (await stored.contacts.all()).map(({ email }) => email);
    await api().post(`/v1/segments/${segment}/members`).send({ emails }).expect(200);
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }] };
    for (const audience of [{ audience: 'all' }, { audience: 'segment', segmentId: segment }, { audience: 'filter', filter }]) {
      const asked = { ...audience, topicId: news.topicId };
      expect(await count(asked)).toBe(wanted.length);
      expect(await breakdown(asked)).toEqual({
        named: 5,
        count: wanted.length,
        leftOut: {
          unsubscribed: 1,
          suppressed: { hard_bounce: 0, complaint: 0, unsubscribe: 0, manual: 1 },
          topic: 3 - wanted.length,
        },
      });
      const { campaignId, topicId } = await draft(asked);
      expect(topicId).toBe(news.topicId);
      expect((await get(campaignId))['estimatedAudience']).toBe(wanted.length);
      await act(campaignId, 'send').expect(200);
      await freeze(campaignId);
      expect((await rows(campaignId)).map(({ contactId }) => contactId).sort()).toEqual(wanted);
    }
  });
});

test('an audience without a topic is counted and broken down as before', async () => {
  const news = await topic();
  await audienceOf(news);
  const leftOut = { unsubscribed: 1, suppressed: { hard_bounce: 0, complaint: 0, unsubscribe: 0, manual: 1 } };
  expect(await breakdown({ audience: 'all' })).toEqual({ named: 5, count: 3, leftOut });
  expect(await draft()).not.toHaveProperty('topicId');
});

test('a recipient who left the topic after the start is skipped, and the list says for which topic', async () => {
  const news = await topic();
  const id = await running(3, { topicId: news.topicId });
  const [first, second, third] = (await rows(id)).map(({ contactId }) => contactId) as [string, string, string];
  await leave(second, news);
  await wholePage(id);
  expect((await recipients(id, 'sent')).map(({ contactId }) => contactId).sort()).toEqual([first, third].sort());
  expect(await recipients(id, 'skipped')).toEqual([
    expect.objectContaining({ contactId: second, skipReason: 'unsubscribed', skipDetail: { topicId: news.topicId } }),
  ]);
  const [email] = await stored.emails.all({ campaignId: id });
  expect((await api().get(`/v1/emails/${email?._id}`).expect(200)).body.data).toMatchObject({ topicId: news.topicId });
});

test('once the API has answered, no message of the topic begins: 25 races against a running campaign', async () => {
  const news = await topic();
  const id = await running(40, { topicId: news.topicId });
  const leaving = new Set((await rows(id)).filter((_row, index) => index % 8 < 5).map(({ contactId }) => contactId));
  const left = new Set<string>();
  beforeEachBeginning(async (contactIds) => {
    const races = contactIds.filter((contactId) => leaving.has(contactId) && !left.has(contactId));
    for (const contactId of races) left.add(contactId);
    await Promise.all(races.map((contactId) => leave(contactId, news)));
  });
  await wholePage(id);
  expect(left.size).toBe(25);
  // Everybody else got theirs.
  const wanted = (await rows(id)).filter(({ contactId }) => !left.has(contactId)).map(({ emailId }) => emailId);
  expect((await stored.emails.all({ campaignId: id })).map(({ _id }) => _id).sort()).toEqual(wanted.sort());
});

test('a topic has to exist, and stays while an unfinished campaign names it', async () => {
  const news = await topic();
  const DRAFT = { name: 'News', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'team@hello.test' };
  const refused = await api()
    .post('/v1/campaigns')
    .send({ ...DRAFT, topicId: 'tpc_unknown' })
    .expect(422);
  expect(faultsOf(refused.body)).toEqual([['topicId', 'not_found']]);
  await api().post('/v1/campaigns/audience-count').send({ audience: 'all', topicId: 'tpc_unknown' }).expect(404);
  const { campaignId } = await draft({ topicId: news.topicId });
  expect((await api().delete(`/v1/topics/${news.topicId}`).expect(409)).body.error).toBe('The campaign “News” uses this topic');
  const copy = (await act(campaignId, 'duplicate').expect(201)).body.data as { campaignId: string; topicId: string };
  expect(copy.topicId).toBe(news.topicId);
  for (const one of [campaignId, copy.campaignId]) {
    const { body } = await api().patch(`/v1/campaigns/${one}`).send({ topicId: null }).expect(200);
    expect(body.data).not.toHaveProperty('topicId');
  }
  await api().delete(`/v1/topics/${news.topicId}`).expect(200);
});

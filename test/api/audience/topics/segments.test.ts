import { followSegments } from '../../../../src/audience/segments/memberships';
import { aProject } from '../../../support/platform/app';
import { all, followingCalls } from '../../../support/calls/segment-calls';
import { topicCalls } from '../../../support/calls/topics';
import type { WireTopic } from '../../../support/calls/topics';
import { faultsOf } from '../../../support/calls/campaigns';
import { aFanOutLoop } from '../../../support/platform/fan-out-loop';
import { rowsRead } from '../../../support/checks/query-plans';
import { insertPeople } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject();
const loop = aFanOutLoop(app, [followSegments]);
const { api, contact, dynamic, freshAddress, members, follows, eventsOf } = followingCalls(() => app);
const { topic, leave, join } = topicCalls(() => app);

beforeEach(() => stored.contacts.remove());

const asks = ({ key }: WireTopic, value: boolean, operator = 'equals') => all({ field: `topic.${key}`, operator, value });
const preview = async (conditions: object) =>
  (await api().post('/v1/segments/preview').send({ conditions }).expect(200)).body.data as {
    count: number;
    sample: { contactId: string }[];
  };

test.each(['in', 'out'] as const)(
  'topic.<key> finds who is in a topic that is %s by default, and who is not',
  async (defaultSubscription) => {
    const news = await topic({ defaultSubscription });
    const [into, out, silent] = [await contact(freshAddress()), await contact(freshAddress()), await contact(freshAddress())] as const;
    await join(into, news);
    await leave(out, news);
    const isIn = defaultSubscription === 'in' ? [into, silent].sort() : [into];
    const isOut = defaultSubscription === 'in' ? [out] : [out, silent].sort();
    for (const [conditions, wanted] of [
      [asks(news, true), isIn],
      [asks(news, false), isOut],
      [asks(news, true, 'notEquals'), isOut],
      [asks(news, false, 'notEquals'), isIn],
    ] as const) {
      const { count, sample } = await preview(conditions);
      expect([count, sample.map(({ contactId }) => contactId).sort()]).toEqual([wanted.length, wanted]);
      expect(await members((await dynamic(conditions)).segmentId)).toEqual(wanted);
    }
  },
);

test('a segment follows who leaves and joins', async () => {
  const news = await topic();
  const { segmentId } = await dynamic(asks(news, false));
  const id = await contact(freshAddress());
  await leave(id, news);
  await follows(segmentId, id, true);
  await join(id, news);
  await follows(segmentId, id, false);
  await loop.quiet();
  expect(await eventsOf(segmentId)).toEqual([
    ['segment.entered', id],
    ['segment.exited', id],
  ]);
});

test('an unknown topic and a value that is none are refused, each at its place', async () => {
  const news = await topic();
  const refused = async (conditions: object) => faultsOf((await api().post('/v1/segments/preview').send({ conditions }).expect(422)).body);
  const at = 'conditions.groups.0.filters.0';
  expect(await refused(all({ field: 'topic.unknown', operator: 'equals', value: true }))).toEqual([[`${at}.field`, 'not_found']]);
  expect(await refused(all({ field: `topic.${news.key}`, operator: 'equals', value: 'yes' }))).toEqual([
    [`${at}.value`, 'invalid_condition'],
  ]);
  expect(await refused(all({ field: `topic.${news.key}`, operator: 'exists' }))).toEqual([[`${at}.operator`, 'invalid_condition']]);
});

test('who is in a topic is counted by indexes alone, also by its default and among the subscribed', async () => {
  const [news, offers] = [await topic(), await topic({ defaultSubscription: 'out' })];
  const choice = ({ topicId }: WireTopic) => [{ topicId, since: new Date(), source: 'api' as const }];
  const [leftNews, joinedOffers, subscribed] = [
    (index: number) => index % 3 === 0,
    (index: number) => index % 2 === 0,
    (index: number) => index % 5 > 0,
  ];
  await insertPeople(app.keys.projectId, 400, (index) => ({
    subscribed: subscribed(index),
    ...(leftNews(index) && { topicsOut: choice(news) }),
    ...(joinedOffers(index) && { topicsIn: choice(offers) }),
  }));
  const post = async (path: string, body: object) => (await api().post(path).send(body).expect(200)).body.data as { count: number };
  const isSubscribed = { field: 'subscribed', operator: 'equals', value: true };
  const figures = async () => (await api().get('/v1/topics').query({ figures: 'true' }).expect(200)).body.data.data as object[];
  const among = (...tests: readonly ((index: number) => boolean)[]) =>
    Array.from({ length: 400 }, (_, index) => index).filter((index) => tests.every((passes) => passes(index))).length;
  for (const [of, value, passes] of [
    [news, true, (index: number) => !leftNews(index)],
    [news, false, leftNews],
    [offers, true, joinedOffers],
    [offers, false, (index: number) => !joinedOffers(index)],
  ] as const) {
    const byTopic = { field: `topic.${of.key}`, operator: 'equals', value };
    const filter = all(byTopic);
    const campaign = value ? [{ audience: 'all', topicId: of.topicId }] : [];
    const counted: number[] = [];
    const read = await rowsRead('contacts', async () => {
      counted.push((await preview(filter)).count, (await preview(all(byTopic, isSubscribed))).count);
      for (const asked of [{ audience: 'filter', filter }, ...campaign]) {
        for (const what of ['count', 'breakdown']) counted.push((await post(`/v1/campaigns/audience-${what}`, asked)).count);
      }
    });
    const wanted = among(passes, subscribed);
    expect(counted).toEqual([among(passes), ...Array.from({ length: counted.length - 1 }, () => wanted)]);
    // The samples of the two previews, and those between them that do not pass.
    expect(read).toBeLessThan(100);
  }
  const reached: object[] = [];
  expect(await rowsRead('contacts', async () => reached.push(...(await figures()).slice(-2)))).toBe(0);
  expect(reached).toMatchObject([
    { figures: { recipients: among(subscribed, (index) => !leftNews(index)) } },
    { figures: { recipients: among(subscribed, joinedOffers) } },
  ]);
});

test('the sample of a topic that only old contacts chose is read along an index', async () => {
  const old = await topic({ defaultSubscription: 'out' });
  const topicsIn = [{ topicId: old.topicId, since: new Date(), source: 'api' as const }];
  await insertPeople(app.keys.projectId, 2_000, (index) => ({ createdAt: new Date(index), ...(index < 900 && { topicsIn }) }));
  expect(await rowsRead('contacts', async () => expect((await preview(asks(old, true))).count).toBe(900))).toBeLessThan(60);
});

test('a topic stays while a segment or the filter of a campaign asks about it', async () => {
  const news = await topic();
  const { segmentId } = await dynamic(asks(news, true), 'Readers');
  const remove = (status: number) => api().delete(`/v1/topics/${news.topicId}`).expect(status);
  expect((await remove(409)).body).toMatchObject({ code: 'in_use', error: 'The segment “Readers” uses this topic' });
  await api().delete(`/v1/segments/${segmentId}`).expect(200);
  const draft = { name: 'Filtered', subject: 'S', body: 'B', fromEmail: 'a@hello.test', audience: 'filter', filter: asks(news, true) };
  const { campaignId } = (await api().post('/v1/campaigns').send(draft).expect(201)).body.data as { campaignId: string };
  expect((await remove(409)).body.error).toBe('The campaign “Filtered” uses this topic');
  await api().delete(`/v1/campaigns/${campaignId}`).expect(200);
  await remove(200);
});

import { aProject } from '../../../support/platform/app';
import { topicCalls } from '../../../support/calls/topics';
import { freshAddress } from '../../../support/data/people';
import { contactCalls } from '../contacts/calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, upsert } = contactCalls(() => app);
const { topic, leave, join } = topicCalls(() => app);

interface Listed {
  readonly topicId: string;
  readonly figures?: { readonly recipients: number };
}

const list = async (query: object): Promise<readonly Listed[]> =>
  (await api().get('/v1/topics').query(query).expect(200)).body.data.data as Listed[];
const counted = async (topicId: string): Promise<number> =>
  (await api().post('/v1/campaigns/audience-count').send({ audience: 'all', topicId }).expect(200)).body.data.count as number;

test('the list of topics says, if asked, how many contacts a campaign of each would reach', async () => {
  const [byDefault, byChoice, quiet] = [
    await topic(),
    await topic({ defaultSubscription: 'out' }),
    await topic({ defaultSubscription: 'out' }),
  ];
  const people = await Promise.all(Array.from({ length: 6 }, async () => (await upsert(freshAddress())).contactId));
  const [first, second, third, fourth] = people as [string, string, string, string];
  for (const id of [first, second]) await leave(id, byDefault);
  for (const id of [second, third, fourth]) await join(id, byChoice);
  await api()
    .post('/v1/contacts/bulk')
    .send({ action: 'suppress', contactIds: [first, third] })
    .expect(200);
  await api()
    .post('/v1/contacts/bulk')
    .send({ action: 'unsubscribe', contactIds: [fourth] })
    .expect(200);

  expect((await list({ figures: 'true' })).map(({ topicId, figures }) => [topicId, figures?.recipients])).toEqual([
    [byDefault.topicId, 2],
    [byChoice.topicId, 1],
    [quiet.topicId, 0],
  ]);
  for (const { topicId, figures } of await list({ figures: 'true' })) expect(await counted(topicId)).toBe(figures?.recipients);
  expect((await list({})).every((each) => !('figures' in each))).toBe(true);
});

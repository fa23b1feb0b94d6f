import { segmentCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

/** As if each request were served by a process of its own: nothing but the database keeps their transactions apart. */
jest.mock('../../../../src/platform/mongo/in-sequence', () => ({
  inSequence: (_key: string, work: () => Promise<unknown>) => work(),
}));

const app = aProject();
const { api, fixed } = segmentCalls(() => app);

const ROUNDS = 12;
const draft = (change: object = {}) =>
  api()
    .post('/v1/campaigns')
    .send({ name: 'C', subject: 'S', body: '<p>B</p>', fromEmail: 'news@hello.test', audience: 'all', ...change });

describe('a segment that is deleted while a campaign begins to name it', () => {
  const neverNamedAndGone = async (name: (segmentId: string) => PromiseLike<{ readonly status: number }>): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const { segmentId } = await fixed();
      await Promise.all([name(segmentId), api().delete(`/v1/segments/${segmentId}`)]);
      const naming = await stored.campaigns.count({ segmentId });
      const there = await stored.segments.count({ _id: segmentId });
      expect(naming === 0 || there === 1).toBe(true);
    }
  };

  test('is refused, or the new draft is', async () => {
    await neverNamedAndGone((segmentId) => draft({ audience: 'segment', segmentId }));
  });

  test('is refused, or the change of the draft is', async () => {
    const { campaignId } = (await draft().expect(201)).body.data as { campaignId: string };
    await neverNamedAndGone((segmentId) => api().patch(`/v1/campaigns/${campaignId}`).send({ audience: 'segment', segmentId }));
  });
});

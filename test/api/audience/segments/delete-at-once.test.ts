import { segmentCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aSecondApi } from '../../../support/platform/second-api';

const app = aProject();
/** In one process, requests that change the same segment take turns. */
const second = aSecondApi(app);
const { api, fixed } = segmentCalls(() => app);

const ROUNDS = 12;
const draft = (change: object = {}) =>
  api()
    .post('/v1/campaigns')
    .send({ name: 'C', subject: 'S', body: '<p>B</p>', fromEmail: 'news@hello.test', audience: 'all', ...change });

describe('a segment that is deleted while a campaign begins to name it', () => {
  /** How often it is gone and named all the same. */
  async function namedAndGone(name: (segmentId: string) => PromiseLike<unknown>): Promise<number> {
    let times = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { segmentId } = await fixed();
      await Promise.all([name(segmentId), second.api().delete(`/v1/segments/${segmentId}`)]);
      const isThere = (await stored.segments.count({ _id: segmentId })) === 1;
      if (!isThere && (await stored.campaigns.count({ segmentId })) > 0) times++;
    }
    return times;
  }

  test('is refused, or the new draft is', async () => {
    expect(await namedAndGone((segmentId) => draft({ audience: 'segment', segmentId }))).toBe(0);
  });

  test('is refused, or the change of the draft is', async () => {
    const { campaignId } = (await draft().expect(201)).body.data as { campaignId: string };
    const name = (segmentId: string) => api().patch(`/v1/campaigns/${campaignId}`).send({ audience: 'segment', segmentId });
    expect(await namedAndGone(name)).toBe(0);
  });
});

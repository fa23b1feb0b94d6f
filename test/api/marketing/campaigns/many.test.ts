import { ObjectId } from 'mongodb';
import { contentsOfUnfinished, removeOldAudiences, withAudienceSince } from '../../../../src/marketing/campaigns/erase';
import { IdleCampaigns } from '../../../../src/marketing/campaigns/reached';
import { readBacklog } from '../../../../src/upkeep/backlog';
import { applyRetention } from '../../../../src/upkeep/retention/apply';
import { campaignCalls } from '../../../support/calls/campaigns';
import { queryPlans, rowsRead } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const MANY = 10_000;
const DAY_MS = 86_400_000;

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, draft } = campaignCalls(() => app);

beforeAll(async () => {
  const { campaignId } = await draft();
  const like = await stored.campaigns.get(campaignId);
  const rows = Array.from({ length: MANY }, (_, n) => {
    const at = new Date(Date.now() - (n / MANY) * 300 * DAY_MS);
    const _id = `cmp_${new ObjectId().toHexString()}00`;
    return { ...like, _id, status: 'sent', createdAt: at, startedAt: at, sentAt: at, endedAt: at };
  });
  await stored.campaigns.collection.insertMany(rows as never);
});

const reads = (path: string) => () => api().get(path).expect(200);
const project = () => app.keys.projectId;
const now = () => new Date();

/** Removes something that campaigns may refer to. */
async function makeAndRemove(path: string, body: object, id: string): Promise<void> {
  const made = await api().post(path).send(body).expect(201);
  await api()
    .delete(`${path}/${made.body.data[id] as string}`)
    .expect(({ status }) => expect([200, 204]).toContain(status));
}

const segment = {
  name: 'Pro',
  conditions: { logic: 'and', groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] },
};

describe('in a project with 10,000 campaigns, few of them are read along an index', () => {
  test.each<readonly [string, () => Promise<unknown>]>([
    ['a page of the list', reads('/v1/campaigns?limit=50')],
    ['what the console shows of them at first', reads('/v1/campaigns?limit=100')],
    ['what comes next', reads('/v1/upcoming')],
    ['statistics', reads('/v1/stats')],
    ['billing', reads('/v1/billing')],
    ['the figures of the queues', () => readBacklog(new IdleCampaigns())],
    ['retention of a project', () => applyRetention(app.core, { now: Date.now(), after: null }, new AbortController().signal)],
    ['audiences that are old', () => removeOldAudiences(project(), new Date(Date.now() - 400 * DAY_MS), now(), 100)],
    ['campaigns that keep their mail', () => withAudienceSince(project(), new Date(Date.now() - 400 * DAY_MS))],
    ['contents that are in use', () => contentsOfUnfinished(project(), ['cnt_1'])],
    ['a segment that is deleted', () => makeAndRemove('/v1/segments', segment, 'segmentId')],
    ['a topic that is deleted', () => makeAndRemove('/v1/topics', { key: 'news', name: 'News', defaultSubscription: 'in' }, 'topicId')],
    ['a contact who opts out', () => api().post('/v1/contacts').send({ email: 'gone@example.com', subscribed: false })],
  ])('%s', async (_what, work) => {
    expect(await rowsRead('campaigns', work)).toBeLessThanOrEqual(110);
    const plans = await queryPlans('campaigns', work);
    expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
  });
});

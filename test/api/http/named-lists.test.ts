import { all, plan } from '../../support/calls/segment-calls';
import { rowsRead } from '../../support/checks/query-plans';
import { aFreshProject } from '../../support/data/projects';
import { aProject } from '../../support/platform/app';

const app = aProject();
const keys = aFreshProject('Named lists');
const api = () => app.api(keys.secret);

interface Listed {
  readonly collection: string;
  readonly path: string;
  /** What is made: first one, then two that are alike. */
  readonly bodies: readonly [first: object, others: object];
  /** The names that filters by state leave. */
  readonly states: Readonly<Record<string, readonly string[]>>;
  readonly refused: string;
}

const CAMPAIGN = { subject: 'S', body: '<p>B</p>', fromEmail: 'a@hello.test' };
const WORKFLOW = { trigger: 'event:a' };
const NAMES = ['Autumn', 'SPRING two', 'Spring (a.b)'];

const LISTS: Readonly<Record<string, Listed>> = {
  campaigns: {
    collection: 'campaigns',
    path: '/v1/campaigns',
    bodies: [CAMPAIGN, CAMPAIGN],
    states: { 'status=draft': NAMES, 'status=sent': [] },
    refused: 'status=active',
  },
  workflows: {
    collection: 'automations',
    path: '/v1/workflows',
    bodies: [WORKFLOW, WORKFLOW],
    states: { 'status=draft': NAMES, 'status=active': [] },
    refused: 'status=sent',
  },
  segments: {
    collection: 'segments',
    path: '/v1/segments',
    bodies: [{ type: 'dynamic', conditions: all(plan('pro')) }, { type: 'static' }],
    states: { 'type=static': NAMES.slice(0, 2), 'type=dynamic': NAMES.slice(2) },
    refused: 'type=other',
  },
};

test.each(Object.entries(LISTS))(
  'the list of %s finds by part of the name and by state, newest first, and reads no row that the name rules out',
  async (_name, { collection, path, bodies: [first, others], states, refused }) => {
    const names = async (query: string): Promise<readonly string[]> => {
      const { body } = await api().get(`${path}?${query}`).expect(200);
      return (body.data.data as { readonly name: string }[]).map(({ name }) => name);
    };
    for (const name of NAMES.toReversed())
      await api()
        .post(path)
        .send({ ...(name === NAMES[2] ? first : others), name })
        .expect(201);
    expect(await names('search=spring')).toEqual(['SPRING two', 'Spring (a.b)']);
    expect(await names('search=(A.b)')).toEqual(['Spring (a.b)']);
    expect(await names('search=.*')).toEqual([]);
    expect(await rowsRead(collection, () => names('search=autumn'))).toBe(1);
    for (const [state, left] of Object.entries(states)) {
      expect([state, await names(state)]).toEqual([state, left]);
      const two = left.filter((name) => name === 'SPRING two');
      const read = await rowsRead(collection, async () => expect([state, await names(`search=two&${state}`)]).toEqual([state, two]));
      expect([state, read]).toEqual([state, two.length]);
    }
    await api().get(`${path}?${refused}`).expect(422);
  },
);

import { all, plan } from '../../support/calls/segment-calls';
import { rowsOf } from '../../support/calls/lists';
import { rowsRead } from '../../support/checks/query-plans';
import { aFreshProject } from '../../support/data/projects';
import { aProject } from '../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const keys = aFreshProject('Archive');
/** A project with nothing in it. */
const api = () => app.api(keys.secret);
/** The project whose domain is verified. */
const sender = () => app.api();

interface Kind {
  readonly collection: string;
  readonly idMember: string;
  readonly body: object;
  /** A filter that all of them match. */
  readonly narrowed: string;
}

const CAMPAIGN = { name: 'C', subject: 'S', body: '<p>B</p>', fromEmail: 'a@hello.test' };
const SOON = { scheduledFor: new Date(Date.now() + 86_400_000).toISOString() };
const GRAPH = { nodes: [{ id: 'start', type: 'trigger', config: {} }], edges: [] };

const KINDS: Readonly<Record<string, Kind>> = {
  campaigns: { collection: 'campaigns', idMember: 'campaignId', body: CAMPAIGN, narrowed: 'status=draft' },
  workflows: {
    collection: 'automations',
    idMember: 'workflowId',
    narrowed: 'status=draft',
    body: { name: 'W', trigger: 'event:a', graph: GRAPH },
  },
  templates: { collection: 'templates', idMember: 'templateId', body: { ...CAMPAIGN, type: 'marketing' }, narrowed: 'type=marketing' },
  segments: { collection: 'segments', idMember: 'segmentId', body: { name: 'S', type: 'static' }, narrowed: 'type=static' },
};

const make = async (kind: string, body = (KINDS[kind] as Kind).body, calls = api): Promise<string> => {
  const made = await calls().post(`/v1/${kind}`).send(body).expect(201);
  return String(made.body.data[(KINDS[kind] as Kind).idMember]);
};

const turn = (kind: string, id: string, verb: 'archive' | 'unarchive', { status = 200, calls = api } = {}) =>
  calls().post(`/v1/${kind}/${id}/${verb}`).send({}).expect(status);

describe.each(Object.entries(KINDS))('of the %s', (kind, { collection, idMember, narrowed }) => {
  const listed = async (query: string): Promise<readonly string[]> => {
    const { body } = await api().get(`/v1/${kind}?${query}`).expect(200);
    return (body.data.data as Readonly<Record<string, string>>[]).map((row) => String(row[idMember]));
  };

  test('lists show the archived ones, the others or all, and read no row that they leave out', async () => {
    const [kept, put] = [await make(kind), await make(kind)];
    const { body } = await turn(kind, put, 'archive');
    expect(body.data).toMatchObject({ [idMember]: put, archivedAt: expect.any(String) });
    for (const filter of ['', `&${narrowed}`]) {
      expect(await listed(`${filter}`)).toEqual([put, kept]);
      expect(await rowsRead(collection, async () => expect(await listed(`archived=false${filter}`)).toEqual([kept]))).toBe(1);
      expect(await rowsRead(collection, async () => expect(await listed(`archived=true${filter}`)).toEqual([put]))).toBe(1);
    }
    const { body: refused } = await api().get(`/v1/${kind}?archived=yes`).expect(422);
    expect(refused.details).toMatchObject([{ path: 'archived' }]);
  });

  test('one comes back as it was, and a repeated call changes nothing', async () => {
    const id = await make(kind);
    const read = async () => (await api().get(`/v1/${kind}/${id}`).expect(200)).body.data as Readonly<Record<string, unknown>>;
    const before = await read();
    const { body: first } = await turn(kind, id, 'archive');
    const { body: second } = await turn(kind, id, 'archive');
    expect(second.data.archivedAt).toBe(first.data.archivedAt);
    expect(await read()).toEqual({ ...before, archivedAt: first.data.archivedAt });
    await turn(kind, id, 'unarchive');
    await turn(kind, id, 'unarchive');
    expect(await read()).toEqual(before);
  });

  test('the audit has who archived one and who brought it back', async () => {
    const id = await make(kind);
    await turn(kind, id, 'archive');
    await turn(kind, id, 'unarchive');
    const entries = await rowsOf<{ readonly action: string; readonly subject: string }>(api(), '/v1/audit');
    const name = idMember.replace('Id', '');
    expect(entries.filter(({ subject }) => subject === id).map(({ action }) => action)).toEqual(
      expect.arrayContaining([`${name}.archive`, `${name}.unarchive`]),
    );
  });
});

test('a campaign under way is not archived, and an archived draft is not sent', async () => {
  const id = await make('campaigns', CAMPAIGN, sender);
  await turn('campaigns', id, 'archive', { calls: sender });
  const { body } = await sender().post(`/v1/campaigns/${id}/send`).send(SOON).expect(409);
  expect(body).toMatchObject({ code: 'invalid_state', error: expect.stringContaining('Unarchive it first') });
  await turn('campaigns', id, 'unarchive', { calls: sender });
  await sender().post(`/v1/campaigns/${id}/send`).send(SOON).expect(200);
  expect((await turn('campaigns', id, 'archive', { status: 409, calls: sender })).body.code).toBe('invalid_state');
  await sender().post(`/v1/campaigns/${id}/cancel`).send({}).expect(200);
  await turn('campaigns', id, 'archive', { calls: sender });
});

test('of sending a draft and archiving it at the same time, one is refused', async () => {
  const id = await make('campaigns', CAMPAIGN, sender);
  const answers = await Promise.all([
    sender().post(`/v1/campaigns/${id}/send`).send(SOON),
    sender().post(`/v1/campaigns/${id}/archive`).send({}),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('an active automation is not archived, and an archived one is not activated', async () => {
  const id = await make('workflows');
  const become = (status: string) => api().patch(`/v1/workflows/${id}`).send({ status });
  await turn('workflows', id, 'archive');
  expect((await become('active').expect(409)).body).toMatchObject({
    code: 'invalid_state',
    error: expect.stringContaining('Unarchive it first'),
  });
  await api().patch(`/v1/workflows/${id}`).send({ name: 'Renamed' }).expect(200);
  await turn('workflows', id, 'unarchive');
  await become('active').expect(200);
  expect((await turn('workflows', id, 'archive', { status: 409 })).body.code).toBe('invalid_state');
  await become('paused').expect(200);
  await turn('workflows', id, 'archive');
});

test('archived templates and segments work wherever they are used', async () => {
  await sender()
    .post('/v1/contacts')
    .send({ email: 'ada@example.com', data: { plan: 'pro' } })
    .expect(201);
  const [templateId, segmentId] = [
    await make('templates', { ...CAMPAIGN, type: 'transactional' }, sender),
    await make('segments', { name: 'S', conditions: all(plan('pro')) }, sender),
  ];
  await turn('templates', templateId, 'archive', { calls: sender });
  await turn('segments', segmentId, 'archive', { calls: sender });
  const sent = await sender().post('/v1/send').send({ to: 'ada@example.com', templateId }).expect(200);
  expect(sent.body.data.results).toMatchObject([{ status: 'queued' }]);
  const counted = await sender().post('/v1/campaigns/audience-count').send({ audience: 'segment', segmentId }).expect(200);
  expect(counted.body.data).toEqual({ count: 1 });
});

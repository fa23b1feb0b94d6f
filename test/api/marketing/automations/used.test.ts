import { aProject } from '../../../support/platform/app';
import { activate, chain, hour, node, send, started, waits } from '../../../support/calls/automations';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test,other.test' } });

const patch = (id: string, change: object) => app.api().patch(`/v1/workflows/${id}`).send(change).expect(200);
const cancelAll = (id: string) => app.api().post(`/v1/workflows/${id}/executions/cancel-all`).send({}).expect(200);

const template = async (fromEmail: string): Promise<string> => {
  const given = { name: 'T', subject: 'S', body: '<p>B</p>', fromEmail };
  return (await app.api().post('/v1/templates').send(given).expect(201)).body.data.templateId as string;
};
const segment = async (): Promise<string> =>
  (await app.api().post('/v1/segments').send({ name: 'S', type: 'static' }).expect(201)).body.data.segmentId as string;
const domainId = async (domain: string): Promise<string> => (await stored.domains.get({ projectId: app.keys.projectId, domain }))._id;

const remove = (path: string) => app.api().delete(path);
const isInUse = async (path: string): Promise<boolean> => {
  const { status, body } = await remove(path);
  if (status === 200) return false;
  expect(body).toMatchObject({ code: 'in_use', error: expect.stringContaining('“Welcome”') });
  return true;
};

/** What a graph may use, with a node that does. */
const USES = {
  'a template': async () => {
    const templateId = await template('news@hello.test');
    return { uses: node('m', 'send_email', { templateId }), path: `/v1/templates/${templateId}` };
  },
  'a segment that it changes': async () => {
    const segmentId = await segment();
    return { uses: node('m', 'add_to_segment', { segmentId }), path: `/v1/segments/${segmentId}` };
  },
  'a segment that it asks about': async () => {
    const segmentId = await segment();
    const filters = [{ field: `segment.${segmentId}`, operator: 'memberOf' }];
    return { uses: node('m', 'condition', { conditions: { logic: 'and', groups: [{ filters }] } }), path: `/v1/segments/${segmentId}` };
  },
};

test.each(Object.entries(USES))('%s stays while executions are under way that use it', async (_what, made) => {
  const { uses, path } = await made();
  const { id } = await started(app, chain(hour, uses));
  expect(await isInUse(path)).toBe(true);
  await patch(id, { status: 'paused' });
  expect(await isInUse(path)).toBe(true);
  // Those that are under way keep their graph; who comes later has another one.
  await patch(id, { graph: chain(hour) });
  expect(await isInUse(path)).toBe(true);
  await patch(id, { status: 'active' });
  expect(await isInUse(path)).toBe(true);
  await cancelAll(id);
  expect(await isInUse(path)).toBe(false);
});

test('a paused automation without executions keeps no template', async () => {
  const templateId = await template('news@hello.test');
  const id = await activate(app, chain(node('m', 'send_email', { templateId })));
  await patch(id, { status: 'paused' });
  expect(await isInUse(`/v1/templates/${templateId}`)).toBe(false);
});

test.each([
  ['by its graph', () => Promise.resolve(send('m', { fromEmail: 'news@other.test' }))],
  ['by a template', async () => node('m', 'send_email', { templateId: await template('news@other.test') })],
])('a domain that executions under way send from, %s, stays', async (_how, made) => {
  const { id } = await started(app, chain(hour, await made()));
  const path = `/v1/domains/${await domainId('other.test')}`;
  await patch(id, { status: 'paused', graph: chain(hour) });
  expect(await isInUse(path)).toBe(true);
  await cancelAll(id);
  expect(await isInUse(path)).toBe(false);
});

test('the outcome of an automation’s mail is read from its own mail, however much the project has sent', async () => {
  const { id } = await started(app, waits());
  const plans = await queryPlans('emails', () => app.api().get(`/v1/stats/workflows/${id}`).expect(200));
  expect(plans).toEqual([{ plan: 'IXSCAN { projectId: 1, workflowId: 1, createdAt: -1, _id: -1 }', sorted: false }]);
});

import { aProject } from '../../../support/platform/app';
import { edge, node } from '../../../support/calls/automations';
import { unbearable } from '../../../support/checks/yardstick';

const app = aProject();

const create = async (graph: object): Promise<string> => {
  const { body } = await app.api().post('/v1/workflows').send({ name: 'Large', trigger: 'event:large', graph }).expect(201);
  return body.data.workflowId as string;
};
const activated = (id: string) => app.api().patch(`/v1/workflows/${id}`).send({ status: 'active' });

test('the check of an automation reports at most a thousand faults', async () => {
  const graph = {
    nodes: [node('start', 'trigger'), node('end', 'exit')],
    edges: Array.from({ length: 5_000 }, () => edge('end', 'start')),
  };
  const id = await create(graph);
  expect((await activated(id).expect(422)).body.details).toHaveLength(1_000);
});

test('activating an automation of many texts lets other work go on', async () => {
  let tries = 0;
  const activation = async (): Promise<void> => {
    tries += 1;
    const body = (call: number) => Array.from({ length: 1_000 }, (_, index) => `{{a}} ${tries} ${call} ${index}`);
    const calls = Array.from({ length: 30 }, (_, call) => node(`w${call}`, 'webhook', { url: 'https://example.com', body: body(call) }));
    const edges = calls.map(({ id }, call) => edge(call === 0 ? 'start' : `w${call - 1}`, id, call === 0 ? undefined : 'success'));
    const id = await create({ nodes: [node('start', 'trigger'), ...calls], edges });
    expect((await activated(id)).body).toMatchObject({ success: true });
  };
  expect(await unbearable(activation)).toBe(0);
});

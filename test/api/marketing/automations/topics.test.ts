import { aProject } from '../../../support/platform/app';
import { activate, always, chain, contact, edge, node, play, send } from '../../../support/calls/automations';
import { topicCalls } from '../../../support/calls/topics';
import { faultsOf } from '../../../support/calls/campaigns';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { topic, leave, join } = topicCalls(() => app);
const api = () => app.api();

const stepOf = (steps: readonly { nodeId: string }[], id: string) => steps.find(({ nodeId }) => nodeId === id);

test('a send_email node skips a contact who is not in its topic, its step says so, and the execution goes on', async () => {
  const news = await topic();
  const id = await activate(
    app,
    chain(send('mail', { type: 'marketing', topicId: news.topicId }), send('other', { type: 'marketing' })),
    always,
  );
  const contactId = await contact(app);
  const first = await play(app, id, contactId);
  expect(stepOf(first.steps, 'mail')).toMatchObject({ status: 'completed', output: { emailId: expect.any(String) } });
  await leave(contactId, news);
  const second = await play(app, id, contactId);
  expect(second.status).toBe('completed');
  expect(stepOf(second.steps, 'mail')).toMatchObject({
    status: 'skipped',
    output: { skipped: 'unsubscribed', detail: { topicId: news.topicId } },
  });
  expect(stepOf(second.steps, 'other')).toMatchObject({ status: 'completed' });
});

test('a node sends a template with the topic of the template, or with its own', async () => {
  const [news, offers] = [await topic(), await topic()];
  const draft = { name: 'T', subject: 'S', body: '<p>B</p>', fromEmail: 'a@hello.test', type: 'marketing', topicId: news.topicId };
  const { templateId } = (await api().post('/v1/templates').send(draft).expect(201)).body.data as { templateId: string };
  const nodes = [node('own', 'send_email', { templateId, topicId: offers.topicId }), node('of', 'send_email', { templateId })] as const;
  const id = await activate(app, chain(...nodes));
  const contactId = await contact(app);
  await leave(contactId, news);
  const { steps } = await play(app, id, contactId);
  expect(stepOf(steps, 'own')).toMatchObject({ status: 'completed' });
  expect(stepOf(steps, 'of')).toMatchObject({ status: 'skipped', output: { skipped: 'unsubscribed', detail: { topicId: news.topicId } } });
});

test('a rehearsal says what would be skipped, and judges conditions on topics', async () => {
  const news = await topic({ defaultSubscription: 'out' });
  const conditions = { logic: 'and', groups: [{ filters: [{ field: `topic.${news.key}`, operator: 'equals', value: true }] }] };
  const graph = {
    nodes: [
      node('start', 'trigger'),
      send('mail', { type: 'marketing', topicId: news.topicId }),
      node('u', 'update_contact', { firstName: 'Ada' }),
      node('c', 'condition', { conditions }),
      node('reads', 'exit', { reason: 'reads' }),
    ],
    edges: [edge('start', 'mail'), edge('mail', 'u'), edge('u', 'c'), edge('c', 'reads', 'yes')],
  };
  const workflow = { name: 'W', trigger: 'event:signed.up', graph };
  const { workflowId } = (await api().post('/v1/workflows').send(workflow).expect(201)).body.data as { workflowId: string };
  const rehearse = async (contactId: string) =>
    (await api().post(`/v1/workflows/${workflowId}/rehearse`).send({ contactId }).expect(200)).body.data as {
      emails: { skipped?: string; detail?: object }[];
      path: { nodeId: string; branch: string | null }[];
    };
  const [stranger, reader] = [await contact(app), await contact(app)];
  await join(reader, news);
  const out = await rehearse(stranger);
  expect(out.emails).toEqual([expect.objectContaining({ skipped: 'unsubscribed', detail: { topicId: news.topicId } })]);
  expect(stepOf(out.path, 'c')).toMatchObject({ branch: 'no' });
  const into = await rehearse(reader);
  expect(into.emails[0]).not.toHaveProperty('skipped');
  expect(stepOf(into.path, 'c')).toMatchObject({ branch: 'yes' });
  const id = await activate(app, graph);
  expect(stepOf((await play(app, id, reader)).steps, 'c')).toMatchObject({ branch: 'yes' });
});

test('a workflow with an unknown topic, or with one on transactional mail, cannot be activated; its topics stay', async () => {
  const news = await topic();
  const condition = { logic: 'and', groups: [{ filters: [{ field: 'topic.unknown', operator: 'equals', value: true }] }] };
  const graph = chain(
    send('a', { type: 'marketing', topicId: 'tpc_unknown' }),
    send('b', { type: 'transactional', topicId: news.topicId }),
    node('c', 'condition', { conditions: condition }),
  );
  const workflow = { name: 'Welcome', trigger: 'event:signed.up', graph };
  const { workflowId } = (await api().post('/v1/workflows').send(workflow).expect(201)).body.data as { workflowId: string };
  const { body } = await api().patch(`/v1/workflows/${workflowId}`).send({ status: 'active' }).expect(422);
  expect(faultsOf(body).sort()).toEqual([
    ['graph.nodes.1.config.topicId', 'invalid_graph'],
    ['graph.nodes.2.config.topicId', 'invalid_graph'],
    ['graph.nodes.3.config.conditions.groups.0.filters.0.field', 'invalid_graph'],
  ]);
  expect((await api().delete(`/v1/topics/${news.topicId}`).expect(409)).body.error).toBe('The workflow “Welcome” uses this topic');
});

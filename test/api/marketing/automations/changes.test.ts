import mongoose from 'mongoose';
import { sweepErasures } from '../../../../src/audience/contacts/erasures';
import { aProject } from '../../../support/platform/app';
import { activate, chain, contact, drive, edge, enrol, node, play, runOf, send } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const always = { reentry: 'always' };

describe('changes', () => {
  test('update_contact merges, with placeholders, and emits its event one automation deeper', async () => {
    const data = { plan: '{{event.plan}}', seats: '{{event.seats}}', tags: ['{{firstName}}', 1], old: null };
    const change = { firstName: '{{event.name}}', lastName: null, data };
    const id = await activate(app, chain(node('u', 'update_contact', change)));
    const contactId = await contact(app, { firstName: 'Ada', lastName: 'L', data: { old: 1, kept: true } });
    const run = await play(app, id, contactId, { data: { name: 'Line 1\nLine 2', plan: '<pro>', seats: 5 } });
    expect(run.status).toBe('completed');
    const { body } = await app.api().get(`/v1/contacts/${contactId}`);
    const merged = { plan: '<pro>', seats: '5', tags: ['Ada', 1], kept: true };
    expect(body.data).toMatchObject({ firstName: 'Line 1 Line 2', lastName: null, data: merged });
    expect(body.data.data).not.toHaveProperty('old');
    expect(await stored.events.one({ contactId, name: 'contact.updated' })).toMatchObject({
      depth: 1,
      data: { source: 'automation' },
    });
  });

  test('subscribed: true lifts an opt-out; a locale that is none ends the execution', async () => {
    const contactId = await contact(app, { email: 'optedout@example.com', subscribed: false });
    await app.api().post('/v1/suppressions').send({ email: 'optedout@example.com', reason: 'unsubscribe' }).expect(201);
    await play(app, await activate(app, chain(node('u', 'update_contact', { subscribed: true }))), contactId);
    expect((await app.api().get(`/v1/contacts/${contactId}`)).body.data.subscribed).toBe(true);
    expect((await app.api().get('/v1/suppressions/check?email=optedout@example.com')).body.data.suppressed).toBe(false);
    const bad = await activate(app, chain(node('u', 'update_contact', { locale: '{{event.locale}}' })));
    expect(await play(app, bad, contactId, { data: { locale: 'not a language' } })).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/locale/),
    });
    const moved = await activate(app, chain(node('u', 'update_contact', { timezone: '{{event.zone}}' })), always);
    expect(await play(app, moved, contactId, { data: { zone: 'Asia/Tokyo' } })).toMatchObject({ status: 'completed' });
    expect(await play(app, moved, contactId, { data: { zone: 'nowhere' } })).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/time zone/),
    });
    expect((await app.api().get(`/v1/contacts/${contactId}`)).body.data.timezone).toBe('Asia/Tokyo');
  });

  test('segments are entered and left, once', async () => {
    const segmentId = (await app.api().post('/v1/segments').send({ name: 'S', type: 'static' }).expect(201)).body.data.segmentId as string;
    const contactId = await contact(app);
    const into = await activate(app, chain(node('a', 'add_to_segment', { segmentId }), node('b', 'add_to_segment', { segmentId })), always);
    expect((await play(app, into, contactId)).status).toBe('completed');
    const members = (await app.api().get(`/v1/segments/${segmentId}/members`).expect(200)).body.data as { contactId: string }[];
    expect(members.map((member) => member.contactId)).toEqual([contactId]);
    expect((await play(app, await activate(app, chain(node('r', 'remove_from_segment', { segmentId }))), contactId)).status).toBe(
      'completed',
    );
    const emitted = await stored.events.all({ contactId, name: /^segment\./ }, { _id: 1 });
    expect(emitted.map(({ name, depth }) => [name, depth])).toEqual([
      ['segment.entered', 1],
      ['segment.exited', 1],
    ]);
  });

  test('emit_event emits its data as it is', async () => {
    const data = { text: 'a { b } {{', list: [1, null, { deep: true }] };
    const id = await activate(app, chain(node('e', 'emit_event', { name: 'order/shipped', data })));
    const contactId = await contact(app);
    const run = await play(app, id, contactId);
    const event = await stored.events.one({ contactId, name: 'order/shipped' });
    expect(event).toMatchObject({ _id: run.steps[1]?.output?.['eventId'], data, depth: 1, testMode: false });
  });

  test('a contact that is gone ends the execution where it stands', async () => {
    const id = await activate(app, chain(send('mail')));
    const contactId = await contact(app);
    const executionId = await enrol(app, id, contactId);
    await stored.contacts.remove(contactId);
    await drive(app.core, app.keys.projectId, executionId);
    expect(await runOf(app, executionId)).toMatchObject({
      status: 'cancelled',
      exitReason: 'contact_deleted',
      steps: [{}, { status: 'skipped' }],
    });
    expect(await stored.emails.count({ workflowId: id })).toBe(0);
  });
});

test('an enrolment goes by the filter of the graph that the execution keeps', async () => {
  const contactId = await contact(app, { data: { plan: 'free' } });
  const graphFor = (plan: string) => {
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: plan }] }] };
    return {
      nodes: [node('start', 'trigger', { filter }), node(plan, 'delay', { amount: 1, unit: 'days' })],
      edges: [edge('start', plan)],
    };
  };
  const id = await activate(app, graphFor('free'), { reentry: 'always' });
  const change = (plan: string) =>
    app
      .api()
      .patch(`/v1/workflows/${id}`)
      .send({ graph: graphFor(plan) })
      .expect(200);
  // The graph is changed between the look at the filter and the enrolment.
  const startSession = mongoose.startSession.bind(mongoose);
  const changedMeanwhile = (plan: string) =>
    jest.spyOn(mongoose, 'startSession').mockImplementationOnce(async (...args) => {
      await change(plan);
      return startSession(...args);
    });
  changedMeanwhile('pro');
  const refused = await app.api().post(`/v1/workflows/${id}/enroll`).send({ contactId }).expect(409);
  expect(refused.body.code).toBe('filter_not_matched');
  expect(await stored.executions.count({ automationId: id })).toBe(0);
  await change('free');
  changedMeanwhile('free');
  await app.api().post(`/v1/workflows/${id}/enroll`).send({ contactId }).expect(201);
});

test('a contact that is deleted while it enters leaves no execution behind', async () => {
  const id = await activate(app, chain(node('rest', 'delay', { amount: 30, unit: 'days' })));
  const contactId = await contact(app);
  const counts = stored.automationCounts.collection;
  const bulkWrite = counts.bulkWrite.bind(counts);
  jest.spyOn(counts, 'bulkWrite').mockImplementationOnce(async (...args) => {
    await app.api().delete(`/v1/contacts/${contactId}`).expect(200);
    return bulkWrite(...args);
  });
  const executionId = await enrol(app, id, contactId);
  await drive(app.core, app.keys.projectId, executionId);
  expect(await runOf(app, executionId)).toMatchObject({ status: 'waiting', contactId });
  await sweepErasures(app.core, new Date(Date.now() + 60_000));
  expect(await runOf(app, executionId)).toMatchObject({ status: 'cancelled', exitReason: 'contact_deleted', contactId: null, email: null });
});

describe('what an automation refers to', () => {
  test('a template stays while an active automation sends it', async () => {
    const template = { name: 'T', subject: 'S', body: '<p>B</p>', fromEmail: 'news@hello.test' };
    const templateId = (await app.api().post('/v1/templates').send(template).expect(201)).body.data.templateId as string;
    const id = await activate(app, chain(node('mail', 'send_email', { templateId })));
    expect((await app.api().delete(`/v1/templates/${templateId}`).expect(409)).body.code).toBe('in_use');
    await app.api().patch(`/v1/workflows/${id}`).send({ status: 'paused' }).expect(200);
    await app.api().delete(`/v1/templates/${templateId}`).expect(200);
    const { body } = await app.api().patch(`/v1/workflows/${id}`).send({ status: 'active' }).expect(422);
    expect(body.details).toMatchObject([{ path: 'graph.nodes.1.config.templateId', code: 'invalid_graph' }]);
  });

  test('a template that is deleted while it comes into use is gone or in use, never both', async () => {
    for (let round = 0; round < 6; round++) {
      const template = { name: 'T', subject: 'S', body: '<p>B</p>', fromEmail: 'news@hello.test' };
      const templateId = (await app.api().post('/v1/templates').send(template).expect(201)).body.data.templateId as string;
      const graph = chain(node('mail', 'send_email', { templateId }));
      const draft = await app.api().post('/v1/workflows').send({ name: 'D', trigger: 'event:raced', graph }).expect(201);
      const [activated, deleted] = await Promise.all([
        app.api().patch(`/v1/workflows/${draft.body.data.workflowId}`).send({ status: 'active' }),
        app.api().delete(`/v1/templates/${templateId}`),
      ]);
      expect([
        [200, 409],
        [422, 200],
      ]).toContainEqual([activated.status, deleted.status]);
    }
  });

  test('a segment stays while an automation refers to it, be it by its trigger', async () => {
    const segmentId = (await app.api().post('/v1/segments').send({ name: 'S', type: 'static' }).expect(201)).body.data.segmentId as string;
    const draft = await app
      .api()
      .post('/v1/workflows')
      .send({ name: 'D', trigger: `segment:enter:${segmentId}` })
      .expect(201);
    expect((await app.api().delete(`/v1/segments/${segmentId}`).expect(409)).body.code).toBe('in_use');
    await app
      .api()
      .delete(`/v1/workflows/${draft.body.data.workflowId as string}`)
      .expect(200);
    await app.api().delete(`/v1/segments/${segmentId}`).expect(200);
  });

  test('a field shows who reads and changes it, an event whom it concerns', async () => {
    const asks = { logic: 'and', groups: [{ filters: [{ field: 'data.used.deep', operator: 'exists' }] }] };
    const graphs = [
      chain(node('q', 'condition', { conditions: asks })),
      chain(node('u', 'update_contact', { data: { used: 1 } })),
      chain(send('m', { subject: '{{data.used}}' })),
      chain(send('m', { subject: 'used', body: '{{data.unused}}{{#if}}' })),
      chain(node('w', 'wait_for_event', { event: 'used.event' })),
    ];
    const ids: string[] = [];
    for (const graph of graphs) {
      const { body } = await app.api().post('/v1/workflows').send({ name: 'D', trigger: 'event:d', graph }).expect(201);
      ids.push(body.data.workflowId as string);
    }
    const shown = async (path: string): Promise<string[]> =>
      ((await app.api().get(path).expect(200)).body.data.workflows as { workflowId: string }[]).map(({ workflowId }) => workflowId);
    expect(await shown('/v1/contacts/fields/used/usage')).toEqual(ids.slice(0, 3).reverse());
    expect(await shown('/v1/events/used.event/usage')).toEqual([ids[4]]);
    expect(await shown('/v1/events/d/usage')).toEqual([...ids].reverse());
  });

  test('an execution that is over forgets a contact that is deleted', async () => {
    const contactId = await contact(app);
    const { executionId } = await play(app, await activate(app, chain(node('end', 'exit'))), contactId);
    await app.api().delete(`/v1/contacts/${contactId}`).expect(200);
    expect(await runOf(app, executionId)).toMatchObject({ status: 'exited', contactId: null, email: null });
  });
});

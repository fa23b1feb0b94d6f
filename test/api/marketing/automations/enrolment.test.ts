import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { listeningOf } from '../../../../src/records/events/listeners';
import type { Event } from '../../../../src/records/events/model';
import { aProject } from '../../../support/platform/app';
import { activate, chain, contact, drive, enrol, node, runOf, emitted } from '../../../support/calls/automations';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const app = aProject();

const WAITS = chain(node('w', 'delay', { amount: 1, unit: 'days' }));

async function process(event: Event): Promise<void> {
  await automationTriggers.handle(app.core, event, (await listeningOf(event.projectId)).version);
}

const executionsOf = (automationId: string) => stored.executions.all({ automationId });
const enrolled = async (automationId: string, event: Event): Promise<number> => {
  const before = await stored.executions.count({ automationId });
  await process(event);
  return (await stored.executions.count({ automationId })) - before;
};

describe('by hand', () => {
  test('answers the execution, and wants its workflow', async () => {
    const id = await activate(app, WAITS);
    const contactId = await contact(app, { email: 'ada@example.com' });
    const { body } = await app
      .api()
      .post(`/v1/workflows/${id}/enroll`)
      .send({ email: 'Ada@Example.com', data: { plan: 'pro' } })
      .expect(201);
    expect(body.data).toEqual({
      executionId: expect.stringMatching(/^exe_/),
      workflowId: id,
      contactId,
      email: 'ada@example.com',
      status: 'running',
      testMode: false,
      currentNodeId: null,
      eventId: null,
      exitReason: null,
      error: null,
      startedAt: expect.any(String),
      finishedAt: null,
      temporal: { workflowId: `automation/${body.data.executionId}`, runId: null },
    });
    const intent = {
      workflow: 'automationRun',
      workflowId: `automation/${body.data.executionId}`,
      attributes: { automationId: id, projectId: app.keys.projectId, contactId },
    };
    expect(app.processes.start).toHaveBeenCalledWith(expect.objectContaining(intent));
    await eventually('the intent is cleared', async () => (await stored.outbox.count({ _id: intent.workflowId })) === 0);
    expect((await app.api().get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: 1, active: 1, completed: 0 });
    const entered = await stored.events.one({ contactId, name: 'workflow.entered' });
    expect(entered).toMatchObject({ data: { workflowId: id, executionId: body.data.executionId }, depth: 1 });
  });

  test('is refused where it must be', async () => {
    const contactId = await contact(app, { data: { plan: 'free' } });
    const plan = { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] };
    const filtered = await activate(app, { nodes: [node('start', 'trigger', { filter: plan })], edges: [] });
    const paused = await activate(app, WAITS);
    await app.api().patch(`/v1/workflows/${paused}`).send({ status: 'paused' }).expect(200);
    const draft = (await app.api().post('/v1/workflows').send({ name: 'A', trigger: 'event:a' })).body.data.workflowId as string;
    const once = await activate(app, WAITS);
    await enrol(app, once, contactId);
    const answer = async (id: string, body: object): Promise<string> => {
      const { status, body: said } = await app.api().post(`/v1/workflows/${id}/enroll`).send(body);
      return `${status} ${said.code as string}`;
    };
    expect(await answer(filtered, { contactId })).toBe('409 filter_not_matched');
    expect(await answer(paused, { contactId })).toBe('409 invalid_state');
    expect(await answer(draft, { contactId })).toBe('409 invalid_state');
    expect(await answer(once, { contactId })).toBe('409 reentry_refused');
    expect(await answer(once, { contactId: 'ctc_unknown' })).toBe('404 not_found');
    expect(await answer(draft, { email: 'nobody@example.com' })).toBe('404 not_found');
    expect(await answer(once, { contactId: await contact(app, {}, app.otherKeys.secret) })).toBe('404 not_found');
    expect(await answer('wfl_unknown', { contactId })).toBe('404 not_found');
    expect(await answer(once, {})).toBe('422 validation_error');
    expect(await answer(once, { contactId, email: 'a@example.com' })).toBe('422 validation_error');
    expect(await executionsOf(filtered)).toEqual([]);
    expect(await executionsOf(once)).toHaveLength(1);
  });

  test('the filter sees the data as that of a triggering event', async () => {
    const pro = { logic: 'and', groups: [{ filters: [{ field: 'trigger.plan', operator: 'equals', value: 'pro' }] }] };
    const id = await activate(app, { nodes: [node('start', 'trigger', { filter: pro })], edges: [] });
    const contactId = await contact(app);
    await app
      .api()
      .post(`/v1/workflows/${id}/enroll`)
      .send({ contactId, data: { plan: 'free' } })
      .expect(409);
    await app
      .api()
      .post(`/v1/workflows/${id}/enroll`)
      .send({ contactId, data: { plan: 'pro' } })
      .expect(201);
    expect(await executionsOf(id)).toHaveLength(1);
  });

  test('with a test key the execution is one in test mode', async () => {
    const id = await activate(app, WAITS);
    const { body } = await app
      .api(app.keys.test)
      .post(`/v1/workflows/${id}/enroll`)
      .send({ contactId: await contact(app) })
      .expect(201);
    expect(body.data.testMode).toBe(true);
  });
});

describe('re-entry', () => {
  const tries = async (id: string, contactId: string): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.api().post(`/v1/workflows/${id}/enroll`).send({ contactId })));
    return answers.map(({ status }) => status).filter((status) => status === 201);
  };

  test.each([
    ['never', 1, 0],
    ['after_exit', 1, 1],
    ['always', 20, 20],
  ])('%s: of 20 at once %i enter, and %i when those are over', async (reentry, first, second) => {
    const id = await activate(app, WAITS, { reentry });
    const contactId = await contact(app);
    expect(await tries(id, contactId)).toHaveLength(first);
    await app.api().post(`/v1/workflows/${id}/executions/cancel-all`).send({}).expect(200);
    expect(await tries(id, contactId)).toHaveLength(second);
    expect(await stored.enrolmentGuards.one(`${id}:${contactId}`)).toMatchObject({ running: second, total: first + second });
  });
});

describe('by events', () => {
  test('a hundred deliveries of one event at once enrol once, with any re-entry', async () => {
    const id = await activate(app, WAITS, { trigger: 'event:hundred', reentry: 'always' });
    const contactId = await contact(app);
    const event = await emitted(app, 'hundred', contactId, { data: { plan: 'pro' } });
    await Promise.all(Array.from({ length: 100 }, () => process(event)));
    const [execution, ...more] = await executionsOf(id);
    expect(more).toEqual([]);
    expect(execution).toMatchObject({ contactId, eventId: event._id, data: '{"plan":"pro"}', testMode: false, depth: 0 });
    expect(await stored.events.count({ contactId, name: 'workflow.entered' })).toBe(1);
    expect((await app.api().get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: 1, active: 1 });
    await process(event);
    expect(await executionsOf(id)).toHaveLength(1);
  });

  test('a hundred events at once of one contact enrol it once where it may not come again', async () => {
    const id = await activate(app, WAITS, { trigger: 'event:many' });
    const contactId = await contact(app);
    const events = await Promise.all(Array.from({ length: 100 }, () => emitted(app, 'many', contactId)));
    await Promise.all(events.map(process));
    expect(await executionsOf(id)).toHaveLength(1);
  });

  test('each kind of trigger takes its own events', async () => {
    const contactId = await contact(app);
    const segment = (await app.api().post('/v1/segments').send({ name: 'S', type: 'static' }).expect(201)).body.data.segmentId as string;
    const on = (trigger: string): Promise<string> => activate(app, WAITS, { trigger, reentry: 'always' });
    const created = await on('contact.created');
    const entering = await on(`segment:enter:${segment}`);
    const leaving = await on(`segment:exit:${segment}`);
    const opened = await on('event:email.opened');
    expect(await enrolled(created, await emitted(app, 'contact.created', contactId))).toBe(1);
    expect(await enrolled(entering, await emitted(app, 'segment.entered', contactId, { data: { segmentId: segment } }))).toBe(1);
    expect(await enrolled(entering, await emitted(app, 'segment.entered', contactId, { data: { segmentId: 'seg_other' } }))).toBe(0);
    expect(await enrolled(entering, await emitted(app, 'segment.exited', contactId, { data: { segmentId: segment } }))).toBe(0);
    expect(await enrolled(leaving, await emitted(app, 'segment.exited', contactId, { data: { segmentId: segment } }))).toBe(1);
    expect(await enrolled(opened, await emitted(app, 'email.opened', contactId, { data: { first: false } }))).toBe(0);
    expect(await enrolled(opened, await emitted(app, 'email.opened', contactId, { data: { first: true } }))).toBe(1);
  });

  test('an event without a contact, of an unknown one, or with enrols: false, starts nothing', async () => {
    const id = await activate(app, WAITS, { trigger: 'event:nobody', reentry: 'always' });
    expect(await enrolled(id, await emitted(app, 'nobody', null))).toBe(0);
    expect(await enrolled(id, await emitted(app, 'nobody', 'ctc_unknown'))).toBe(0);
    expect(await enrolled(id, await emitted(app, 'nobody', await contact(app), { enrols: false }))).toBe(0);
    expect(await enrolled(id, await emitted(app, 'nobody', await contact(app)))).toBe(1);
  });

  test('a paused automation enrols no one, at once; active again it does', async () => {
    const id = await activate(app, WAITS, { trigger: 'event:pausing', reentry: 'always' });
    const contactId = await contact(app);
    await app.api().patch(`/v1/workflows/${id}`).send({ status: 'paused' }).expect(200);
    expect(await enrolled(id, await emitted(app, 'pausing', contactId))).toBe(0);
    await app.api().patch(`/v1/workflows/${id}`).send({ status: 'active' }).expect(200);
    expect(await enrolled(id, await emitted(app, 'pausing', contactId))).toBe(1);
  });

  test('a test-mode event enrols in test mode', async () => {
    const id = await activate(app, WAITS, { trigger: 'event:tested' });
    await process(await emitted(app, 'tested', await contact(app), { testMode: true }));
    expect(await executionsOf(id)).toMatchObject([{ testMode: true }]);
  });

  test('a loop of automations ends after ten enrolments and says so on the timeline', async () => {
    const id = await activate(app, chain(node('again', 'emit_event', { name: 'loop' })), { trigger: 'event:loop', reentry: 'always' });
    const contactId = await contact(app);
    const seen = new Set<string>();
    await emitted(app, 'loop', contactId);
    for (let round = 0; round < 15; round++) {
      const events = await stored.events.all({ contactId, name: 'loop', _id: { $nin: [...seen] } });
      for (const event of events) {
        seen.add(event._id);
        await process(event);
        await process(event);
      }
      for (const { _id } of await stored.executions.all({ automationId: id, status: 'running' }))
        await drive(app.core, app.keys.projectId, _id);
    }
    const executions = await executionsOf(id);
    expect(executions.map(({ depth }) => depth).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const { body } = await app.api().get(`/v1/contacts/${contactId}/timeline`).expect(200);
    const refused = (body.data as { name: string; kind: string; workflowId: string }[]).filter(({ name }) => name === 'workflow.refused');
    expect(refused).toEqual([
      expect.objectContaining({ kind: 'execution', workflowId: id, data: { workflowId: id, reason: 'too_deep', depth: 10 } }),
    ]);
    // It is no event: no list, no name, nothing for a webhook.
    expect(await stored.events.count({ name: 'workflow.refused' })).toBe(0);
    const names = await app.api().get('/v1/events/names').expect(200);
    expect(names.body.data.data).not.toContainEqual(expect.objectContaining({ name: 'workflow.refused' }));
    await app.api().delete(`/v1/contacts/${contactId}`).expect(200);
    expect(await stored.contactNotes.count({ contactId })).toBe(0);
  });
});

test('a deleted contact ends its executions and is forgotten; a new one of the address begins anew', async () => {
  const id = await activate(app, WAITS);
  const email = 'leaves@example.com';
  const contactId = await contact(app, { email });
  const executionId = await enrol(app, id, contactId);
  await app.api().delete(`/v1/contacts/${contactId}`).expect(200);
  const deleted = await stored.events.one({ contactId, name: 'contact.deleted' });
  await process(deleted as Event);
  await process(deleted as Event);
  const { body } = await app.api().get(`/v1/workflows/executions/${executionId}`).expect(200);
  expect(body.data).toMatchObject({ status: 'cancelled', exitReason: 'contact_deleted', contactId: null, email: null });
  expect(app.processes.signal).toHaveBeenCalledWith(expect.objectContaining({ workflowId: `automation/${executionId}`, signal: 'nudge' }));
  expect((await app.api().get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: 1, active: 0, completed: 0 });
  expect(await contact(app, { email })).toBe(contactId);
  expect(await enrol(app, id, contactId)).not.toBe(executionId);
});

test('a contact that is made anew begins anew before its deletion is delivered, and is not touched by it', async () => {
  const id = await activate(app, WAITS, { reentry: 'after_exit' });
  const email = 'returns@example.com';
  const contactId = await contact(app, { email });
  const before = await enrol(app, id, contactId);
  await app.api().delete(`/v1/contacts/${contactId}`).expect(200);
  expect(await contact(app, { email })).toBe(contactId);
  const anew = await enrol(app, id, contactId);
  await process(await stored.events.get({ contactId, name: 'contact.deleted' }));
  expect((await runOf(app, before)).status).toBe('cancelled');
  expect((await runOf(app, anew)).status).toBe('waiting');
  await app.api().post(`/v1/workflows/${id}/enroll`).send({ contactId }).expect(409);
  await app.api().post(`/v1/workflows/${id}/executions/${anew}/cancel`).send({}).expect(200);
  await enrol(app, id, contactId);
});

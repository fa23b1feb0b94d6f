import { checkAllExecutionsNow, nudgePage, sweepExecutions } from '../../../../src/marketing/automations/upkeep';
import { automationWaits } from '../../../../src/marketing/automations/waits';
import { aProject } from '../../../support/platform/app';
import {
  HOUR_MS,
  activate,
  always,
  chain,
  contact,
  drive,
  edge,
  enrol,
  hour,
  node,
  ordered,
  play,
  runOf,
  send,
  started,
  startedTogether,
  waits,
} from '../../../support/calls/automations';
import { lookedAt, queryPlans } from '../../../support/checks/query-plans';
import { storePeople } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

beforeEach(() => {
  app.processes.signal.mockClear();
  app.processes.start.mockClear();
});

const shown = async (id: string) => (await app.api().get(`/v1/workflows/${id}`)).body.data as Record<string, unknown>;
describe('cancelling', () => {
  test('one ends where it stands; again it is refused', async () => {
    const { id, executionId, contactId } = await started(app, chain(hour));
    const cancel = () => app.api().post(`/v1/workflows/${id}/executions/${executionId}/cancel`).send({});
    expect((await cancel().expect(200)).body.data).toMatchObject({
      executionId,
      status: 'cancelled',
      currentNodeId: null,
      finishedAt: expect.any(String),
    });
    expect((await cancel().expect(409)).body.code).toBe('invalid_state');
    expect((await runOf(app, executionId)).steps[1]).toMatchObject({ status: 'skipped', output: { skipped: 'cancelled' } });
    expect(app.processes.signal).toHaveBeenCalledWith(expect.objectContaining({ workflowId: `automation/${executionId}` }));
    expect(await drive(app.core, app.keys.projectId, executionId)).toEqual({ next: 'over', status: 'cancelled' });
    expect(await stored.events.count({ contactId, name: 'workflow.cancelled' })).toBe(1);
    await app.api().post(`/v1/workflows/${id}/executions/exe_unknown/cancel`).send({}).expect(404);
    await app.api().post(`/v1/workflows/wfl_unknown/executions/${executionId}/cancel`).send({}).expect(404);
    await app.api(app.otherKeys.secret).post(`/v1/workflows/${id}/executions/${executionId}/cancel`).send({}).expect(404);
    await app.api(app.otherKeys.secret).get(`/v1/workflows/executions/${executionId}`).expect(404);
  });

  test('cancelling and finishing race to one end, emitted and counted once', async () => {
    const id = await activate(app, chain(hour), always);
    for (let round = 0; round < 4; round++) {
      const contactId = await contact(app);
      const executionId = await enrol(app, id, contactId);
      await drive(app.core, app.keys.projectId, executionId);
      await Promise.all([
        app.api().post(`/v1/workflows/${id}/executions/${executionId}/cancel`).send({}),
        drive(app.core, app.keys.projectId, executionId, Date.now() + HOUR_MS + 1_000),
      ]);
      const emitted = await stored.events.all({ contactId, name: /^workflow\.(completed|cancelled)$/ });
      expect(emitted.map(({ name }) => name)).toEqual([`workflow.${(await runOf(app, executionId)).status}`]);
    }
    expect(await shown(id)).toMatchObject({ entered: 4, active: 0 });
  });

  test('all of them: those in flight end, those that are over stay, and their workflows are signalled', async () => {
    const id = await activate(app, chain(hour), always);
    const over = await play(app, id, await contact(app));
    await drive(app.core, app.keys.projectId, over.executionId, Date.now() + HOUR_MS + 1_000);
    const ids = await Promise.all((await storePeople(app.keys.projectId, 60)).map((contactId) => enrol(app, id, contactId)));
    await Promise.all(ids.slice(0, 6).map((executionId) => drive(app.core, app.keys.projectId, executionId)));
    expect((await app.api().post(`/v1/workflows/${id}/executions/cancel-all`).send({}).expect(200)).body.data).toEqual({ cancelled: 60 });
    expect(await shown(id)).toMatchObject({ entered: 61, active: 0, completed: 1 });
    const input = { projectId: app.keys.projectId, automationId: id, cancelUpTo: new Date().toISOString(), after: '' };
    expect(await nudgePage(app.core, input)).toBeNull();
    expect(app.processes.signal.mock.calls.map(([{ workflowId }]) => workflowId as string).sort()).toEqual(
      ids.map((one) => `automation/${one}`).sort(),
    );
    app.processes.signal.mockClear();
    await nudgePage(app.core, input);
    expect(app.processes.signal).not.toHaveBeenCalled();
    expect((await app.api().post(`/v1/workflows/${id}/executions/cancel-all`).send({}).expect(200)).body.data).toEqual({ cancelled: 0 });
  });
});

test('an execution keeps the graph that it was enrolled with; the next one has the new graph', async () => {
  const { id, executionId } = await started(app, chain(hour, node('end', 'exit', { reason: 'old' })));
  await app
    .api()
    .patch(`/v1/workflows/${id}`)
    .send({ graph: chain(hour, node('more', 'emit_event', { name: 'more' }), node('end', 'exit', { reason: 'new' })) })
    .expect(200);
  const next = await enrol(app, id, await contact(app));
  for (const one of [executionId, next]) await drive(app.core, app.keys.projectId, one);
  for (const one of [executionId, next]) await drive(app.core, app.keys.projectId, one, Date.now() + HOUR_MS + 1_000);
  const paths = await Promise.all([executionId, next].map(async (one) => runOf(app, one)));
  expect(paths.map(({ exitReason, steps }) => [exitReason, ...steps.map(({ nodeId }) => nodeId)])).toEqual([
    ['old', 'start', 'w', 'end'],
    ['new', 'start', 'w', 'more', 'end'],
  ]);
  const shown = await app.api().get(`/v1/workflows/executions/${executionId}`).expect(200);
  expect((shown.body.data.graph.nodes as { id: string }[]).map((one) => one.id)).toEqual(['start', 'w', 'end']);
});

describe('lists and counters', () => {
  test('a page, newest first, by status and contact; no other project sees it', async () => {
    const { id, executionId, contactId } = await started(app, chain(hour));
    const second = await play(app, id, contactId);
    const third = await play(app, id, await contact(app));
    await app.api().post(`/v1/workflows/${id}/executions/${second.executionId}/cancel`).send({}).expect(200);
    const list = async (query = '') =>
      (await app.api().get(`/v1/workflows/${id}/executions${query}`).expect(200)).body as {
        data: { executionId: string }[];
        nextCursor: string | null;
      };
    const idsOf = async (query = '') => (await list(query)).data.map((one) => one.executionId);
    expect(await idsOf()).toEqual([third.executionId, second.executionId, executionId]);
    expect(await idsOf('?status=waiting')).toEqual([third.executionId, executionId]);
    expect(await idsOf(`?contactId=${contactId}`)).toEqual([second.executionId, executionId]);
    const { currentNodeId } = (await stored.executions.get(executionId)) ?? {};
    expect(await idsOf(`?nodeId=${currentNodeId}`)).toEqual([third.executionId, executionId]);
    expect(await idsOf(`?nodeId=${currentNodeId}&status=running`)).toEqual([]);
    expect(await idsOf('?nodeId=start')).toEqual([]);
    expect(await idsOf(`?contactId=${contactId}&status=cancelled`)).toEqual([second.executionId]);
    const first = await list('?limit=2');
    expect(first.nextCursor).not.toBeNull();
    expect(await idsOf(`?limit=2&cursor=${first.nextCursor}`)).toEqual([executionId]);
    expect((await list()).data[0]).not.toHaveProperty('steps');
    await app.api().get(`/v1/workflows/${id}/executions?status=sleeping`).expect(422);
    await app.api().get('/v1/workflows/wfl_unknown/executions').expect(404);
  });

  test('the funnel counts what is over and what is in flight, node by node', async () => {
    const question = { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] };
    const graph = {
      nodes: [
        node('start', 'trigger'),
        send('mail', { type: 'marketing' }),
        node('q', 'condition', { conditions: question }),
        hour,
        node('e', 'exit'),
      ],
      edges: [edge('start', 'mail'), edge('mail', 'q'), edge('q', 'w', 'yes'), edge('q', 'e', 'no')],
    };
    const id = await activate(app, graph);
    await play(app, id, await contact(app, { data: { plan: 'pro' } }));
    await play(app, id, await contact(app));
    await play(app, id, await contact(app, { subscribed: false }));
    const last = await play(app, id, await contact(app, { data: { plan: 'pro' } }));
    await app.api().post(`/v1/workflows/${id}/executions/${last.executionId}/cancel`).send({}).expect(200);
    const at = new Date();
    const become = async (change: object) => stored.emails.change({ workflowId: id, sentAt: null }, { sentAt: at, ...change });
    await become({ status: 'delivered', deliveredAt: at, openedAt: at });
    await become({ status: 'bounced', deliveredAt: at, bouncedAt: at });
    await become({ status: 'delivered', deliveredAt: at, testMode: true });
    const counts = { sent: 2, delivered: 1, opened: 1, clicked: 0, bounced: 1, complained: 0, failed: 0, unsubscribed: 0, received: 0 };
    const of = (nodeId: string, type: string, change: object) => ({
      nodeId,
      type,
      entered: 0,
      completed: 0,
      waiting: 0,
      skipped: 0,
      failed: 0,
      emails: null,
      ...change,
    });
    expect((await app.api().get(`/v1/stats/workflows/${id}`).expect(200)).body.data).toEqual({
      workflowId: id,
      entered: 4,
      active: 1,
      completed: 0,
      exited: 2,
      cancelled: 1,
      failed: 0,
      nodes: [
        of('start', 'trigger', { entered: 4, completed: 4 }),
        of('mail', 'send_email', { entered: 4, completed: 3, skipped: 1, emails: counts }),
        of('q', 'condition', { entered: 4, completed: 4 }),
        of('w', 'delay', { entered: 2, waiting: 1, skipped: 1 }),
        of('e', 'exit', { entered: 2, completed: 2 }),
      ],
    });
    expect(await shown(id)).toMatchObject({ entered: 4, completed: 2, active: 1 });
  });

  test('the end is emitted once', async () => {
    const { executionId, contactId, id } = await started(app, chain(node('end', 'exit', { reason: 'bought' })));
    await Promise.all(Array.from({ length: 5 }, () => drive(app.core, app.keys.projectId, executionId)));
    const emitted = await stored.events.all({ contactId, name: /^workflow\.(exited|completed)/ });
    expect(emitted).toMatchObject([{ name: 'workflow.exited', data: { workflowId: id, executionId, reason: 'bought' }, depth: 1 }]);
  });
});

test('the sweep starts the workflows of executions that are due, and those alone', async () => {
  await stored.executions.changeAll({}, { $unset: { checkAt: 1 } });
  const { executionId, id } = await started(app, chain(hour));
  expect(await sweepExecutions(app.core, new Date())).toBe(0);
  const soon = new Date(Date.now() + 2 * 60_000);
  app.processes.start.mockClear();
  expect(await sweepExecutions(app.core, soon)).toBe(1);
  const run = { workflowId: `automation/${executionId}`, workflow: 'automationRun' };
  expect(app.processes.start).toHaveBeenCalledWith(expect.objectContaining(run));
  expect(app.processes.start.mock.calls[0]?.[0]).not.toHaveProperty('orSignal');
  // While it waits nothing is to be found out, so that any number of executions may.
  expect(await sweepExecutions(app.core, new Date(Date.now() + HOUR_MS))).toBe(0);
  // Its wait has been over for a while: a workflow that runs waits for something else.
  expect(await sweepExecutions(app.core, new Date(Date.now() + 2 * HOUR_MS))).toBe(1);
  expect(app.processes.start).toHaveBeenLastCalledWith(expect.objectContaining({ ...run, orSignal: 'nudge' }));
  await app.api().post(`/v1/workflows/${id}/executions/${executionId}/cancel`).send({}).expect(200);
  expect(await sweepExecutions(app.core, new Date(Date.now() + 24 * HOUR_MS))).toBe(0);
});

describe('after Temporal has lost its workflows', () => {
  const delay = (amount: number, unit = 'hours') => chain(node('w', 'delay', { amount, unit }));
  const month = { timeout: { amount: 30, unit: 'days' } };
  const begun = (): string[] => app.processes.start.mock.calls.map(([{ workflowId }]) => workflowId);
  const workflowsOf = (rows: readonly { readonly executionId: string }[]) => rows.map(({ executionId }) => `automation/${executionId}`);

  /** The sweep has found all workflows a while after the executions began to wait; then Temporal loses them. */
  async function loseAll(now: Date): Promise<void> {
    await sweepExecutions(app.core, new Date(Date.now() + 2 * 60_000));
    app.processes.start.mockClear();
    await checkAllExecutionsNow(now);
  }

  beforeEach(() => stored.executions.changeAll({}, { $unset: { checkAt: 1 } }));

  test('the sweep starts all that may continue within the hour, in one round', async () => {
    const waiting = await startedTogether(app, 60, chain(hour));
    const now = new Date();
    await loseAll(now);
    expect(await sweepExecutions(app.core, now)).toBe(60);
    expect(new Set(begun())).toEqual(new Set(workflowsOf(waiting)));
  });

  test('what may continue is started first, then what waits, in the order in which it ends; what waits longer, when its wait is over', async () => {
    const [later, sooner, arrived, asks] = [
      await started(app, delay(3)),
      await started(app, delay(30, 'minutes')),
      await started(app, waits(month)),
      await started(app, waits({ ...month, event: 'order.cancelled' })),
    ];
    await automationWaits.handle(app.core, await ordered(app, arrived.contactId), 0);
    const began = Date.now();
    const after = (ms: number) => new Date(began + ms);
    await loseAll(after(HOUR_MS / 12));
    expect(await sweepExecutions(app.core, after(HOUR_MS / 12))).toBe(2);
    expect(begun()).toEqual(workflowsOf([arrived, sooner]));
    await sweepExecutions(app.core, after(2.9 * HOUR_MS));
    expect(begun()).not.toContain(`automation/${later.executionId}`);
    await sweepExecutions(app.core, after(3.1 * HOUR_MS));
    expect(begun()).toContain(`automation/${later.executionId}`);
    await sweepExecutions(app.core, after(31 * 24 * HOUR_MS));
    expect(begun()).toContain(`automation/${asks.executionId}`);
  });

  test('a wait for an event that has just begun is started at once: an event may have come before the wait was stored', async () => {
    const { executionId } = await started(app, waits(month));
    const now = new Date();
    await stored.executions.changeAll({ _id: executionId }, { $set: { checkAt: now } });
    expect(await sweepExecutions(app.core, now)).toBe(1);
    await checkAllExecutionsNow(now);
    expect(await sweepExecutions(app.core, now)).toBe(1);
  });

  test('a mark costs executions that wait for long nothing', async () => {
    await startedTogether(app, 20, delay(48));
    await sweepExecutions(app.core, new Date(Date.now() + 2 * 60_000));
    expect(await lookedAt('automation_executions', () => checkAllExecutionsNow(new Date()))).toBeLessThanOrEqual(2);
  });

  test('one that is not started yet is listed, counted and cancelled, and an event starts it', async () => {
    const [asleep, asks] = [await started(app, delay(48)), await started(app, waits(month))];
    await loseAll(new Date());
    expect(await sweepExecutions(app.core, new Date())).toBe(0);
    const of = ({ id }: { readonly id: string }) => app.api().get(`/v1/workflows/${id}/executions?status=waiting`).expect(200);
    expect((await of(asleep)).body.data).toMatchObject([{ executionId: asleep.executionId, status: 'waiting' }]);
    expect(await shown(asleep.id)).toMatchObject({ active: 1 });
    await app.api().post(`/v1/workflows/${asleep.id}/executions/${asleep.executionId}/cancel`).send({}).expect(200);
    expect(await shown(asleep.id)).toMatchObject({ active: 0 });
    expect(await sweepExecutions(app.core, new Date(Date.now() + 72 * HOUR_MS))).toBe(0);
    await automationWaits.handle(app.core, await ordered(app, asks.contactId), 0);
    const start = expect.objectContaining({ workflow: 'automationRun', workflowId: `automation/${asks.executionId}` });
    expect(app.processes.signal).toHaveBeenCalledWith(expect.objectContaining({ signal: 'nudge', orStart: start }));
    expect(await drive(app.core, app.keys.projectId, asks.executionId)).toMatchObject({ next: 'over' });
  });
});

test('an execution that goes on before its wait is over is looked at soon again', async () => {
  await stored.executions.changeAll({}, { $unset: { checkAt: 1 } });
  const { executionId, id, contactId } = await started(app, waits());
  const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  expect(await sweepExecutions(app.core, soon(2))).toBe(1);
  expect(await sweepExecutions(app.core, soon(20))).toBe(0);
  await automationWaits.handle(app.core, await ordered(app, contactId), 0);
  expect(await sweepExecutions(app.core, soon(2))).toBe(1);
  await app.api().post(`/v1/workflows/${id}/executions/${executionId}/cancel`).send({}).expect(200);
});

test('executions of automations are read along indexes', async () => {
  const { id, executionId, contactId } = await started(app, waits());
  const event = await ordered(app, contactId);
  const plans = await queryPlans('automation_executions', async () => {
    for (const query of ['', '?status=waiting', `?contactId=${contactId}`, `?contactId=${contactId}&status=waiting`, '?nodeId=start']) {
      await app.api().get(`/v1/workflows/${id}/executions${query}`).expect(200);
    }
    await app.api().get(`/v1/stats/workflows/${id}`).expect(200);
    await automationWaits.handle(app.core, event, 0);
    await drive(app.core, app.keys.projectId, executionId);
    await nudgePage(app.core, { projectId: app.keys.projectId, automationId: id, cancelUpTo: null, after: '' });
    await sweepExecutions(app.core, new Date(Date.now() + HOUR_MS));
    await app.api().post(`/v1/workflows/${id}/executions/cancel-all`).send({}).expect(200);
  });
  expect(plans.length).toBeGreaterThan(10);
  expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
});

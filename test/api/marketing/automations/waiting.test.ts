import { advanceFrom, runOn } from '../../../../src/marketing/automations/advance';
import { NOTHING_KNOWN } from '../../../../src/marketing/automations/transitions';
import { nudgePage } from '../../../../src/marketing/automations/upkeep';
import { automationWaits } from '../../../../src/marketing/automations/waits';
import type { Event } from '../../../../src/records/events/model';
import { disableProject, enableProject, setReputation } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import {
  HOUR_MS,
  activate,
  always,
  chain,
  contact,
  drive,
  enrol,
  hour,
  node,
  ordered,
  runOf,
  send,
  started,
  waits,
} from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

beforeEach(() => {
  app.processes.signal.mockClear();
  app.processes.start.mockClear();
});

const state = async (executionId: string) => {
  const { status, currentNodeId, steps } = await runOf(app, executionId);
  return [status, currentNodeId, ...steps.map((step) => `${step.nodeId} ${step.status}${step.branch === null ? '' : ` ${step.branch}`}`)];
};

const deliver = (event: Event): Promise<void> => automationWaits.handle(app.core, event, 0);

describe('waiting', () => {
  test('a delay waits until its instant, and says so', async () => {
    const { executionId } = await started(app, chain(hour, node('end', 'exit', { reason: 'done' })));
    expect(await state(executionId)).toEqual(['waiting', 'w', 'start completed', 'w waiting']);
    const todo = await drive(app.core, app.keys.projectId, executionId);
    expect(todo).toMatchObject({ next: 'wait', cause: 'delay', nodeId: 'w' });
    await drive(app.core, app.keys.projectId, executionId, Date.now() + HOUR_MS + 1_000);
    const run = await runOf(app, executionId);
    expect(run).toMatchObject({ status: 'exited', exitReason: 'done', temporal: { runId: 'run_1' } });
    expect(run.steps[1]?.output).toEqual({ until: expect.stringMatching(/Z$/) });
  });

  test('an event ends a wait, once, by the first that fits', async () => {
    const { executionId, contactId } = await started(app, waits({ filter: { 'order.total': 3 } }));
    await deliver(await ordered(app, contactId, { order: { total: 4 } }));
    await deliver(await ordered(app, await contact(app), { order: { total: 3 } }));
    await deliver(await ordered(app, contactId, { order: { total: 3 } }, { testMode: true }));
    await deliver(await ordered(app, contactId, { order: { total: 3 } }, { name: 'order.shipped' }));
    expect(app.processes.signal).not.toHaveBeenCalled();
    const first = await ordered(app, contactId, { order: { total: 3 } });
    await Promise.all(Array.from({ length: 5 }, () => deliver(first)));
    expect(app.processes.signal).toHaveBeenCalledWith(
      expect.objectContaining({ workflowId: `automation/${executionId}`, signal: 'nudge', id: first._id }),
    );
    app.processes.signal.mockClear();
    await deliver(await ordered(app, contactId, { order: { total: 3 } }));
    expect(app.processes.signal).not.toHaveBeenCalled();
    await drive(app.core, app.keys.projectId, executionId);
    expect(await state(executionId)).toEqual(['exited', null, 'start completed', 'w completed event', 'e completed']);
    expect((await runOf(app, executionId)).steps[1]?.output).toEqual({ eventId: first._id });
    await deliver(first);
    expect(await state(executionId)).toEqual(['exited', null, 'start completed', 'w completed event', 'e completed']);
  });

  test('what came before the node was entered does not count; what came before anybody could hand it over does', async () => {
    const id = await activate(app, waits(), always);
    const contactId = await contact(app);
    const before = await ordered(app, contactId);
    const executionId = await enrol(app, id, contactId);
    await runOn(app.core, { executionId, projectId: app.keys.projectId, now: Date.now() }, null);
    await deliver(before);
    await drive(app.core, app.keys.projectId, executionId);
    expect(await state(executionId)).toEqual(['waiting', 'w', 'start completed', 'w waiting']);
    const between = await ordered(app, contactId);
    await drive(app.core, app.keys.projectId, executionId);
    expect((await runOf(app, executionId)).steps[1]).toMatchObject({ branch: 'event', output: { eventId: between._id } });
  });

  test('without an event it times out; what comes later is late', async () => {
    const { executionId, contactId } = await started(app, waits());
    await drive(app.core, app.keys.projectId, executionId, Date.now() + HOUR_MS + 1_000);
    expect(await state(executionId)).toEqual(['exited', null, 'start completed', 'w completed timeout', 't completed']);
    await deliver(await ordered(app, contactId));
    expect(app.processes.signal).not.toHaveBeenCalled();
  });

  test('one event ends the waits of all executions of its contact, in any automation', async () => {
    const contactId = await contact(app);
    const ids = [await activate(app, waits(), always), await activate(app, waits(), always)];
    const executions = await Promise.all(ids.map((id) => enrol(app, id, contactId)));
    for (const executionId of executions) await drive(app.core, app.keys.projectId, executionId);
    await deliver(await ordered(app, contactId));
    for (const executionId of executions) await drive(app.core, app.keys.projectId, executionId);
    expect(await Promise.all(executions.map(async (executionId) => (await runOf(app, executionId)).status))).toEqual(['exited', 'exited']);
  });
});

test('a disabled project holds its executions before their next node, an exit included; enabled again, they go on', async () => {
  const { executionId } = await started(app, chain(hour, send('mail')));
  const { executionId: ending } = await started(app, chain(hour, node('end', 'exit')));
  const later = Date.now() + HOUR_MS + 1_000;
  await disableProject(app.keys.projectId);
  for (const id of [executionId, ending]) {
    expect(await drive(app.core, app.keys.projectId, id, later)).toMatchObject({ next: 'wait', cause: 'disabled', until: later + 60_000 });
    expect(await state(id)).toEqual(['running', 'w', 'start completed', 'w completed']);
  }
  await enableProject(app.keys.projectId);
  for (const id of [executionId, ending]) await drive(app.core, app.keys.projectId, id, later);
  expect(await state(executionId)).toEqual(['completed', null, 'start completed', 'w completed', 'mail completed']);
  expect(await state(ending)).toEqual(['exited', null, 'start completed', 'w completed', 'end completed']);
});

test('a throttled project’s messages wait for room in its bucket', async () => {
  const well = { state: 'ok', reason: null, resetAt: null } as const;
  const throttled = { ...well, state: 'throttled' } as const;
  await setReputation(app.keys.projectId, throttled, well);
  const empty = { units: 0, at: new Date(Date.now() + HOUR_MS) };
  await stored.rateBuckets.collection.updateOne({ _id: app.keys.projectId }, { $set: empty }, { upsert: true });
  const { executionId } = await started(app, chain(send('mail')));
  expect(await drive(app.core, app.keys.projectId, executionId)).toMatchObject({ next: 'wait', cause: 'throttled', nodeId: 'mail' });
  await stored.rateBuckets.collection.updateOne({ _id: app.keys.projectId }, { $set: { units: 1 } });
  expect(await drive(app.core, app.keys.projectId, executionId)).toMatchObject({ next: 'over', status: 'completed' });
  await setReputation(app.keys.projectId, well, throttled);
});

describe('pausing', () => {
  const patch = (id: string, status: string) => app.api().patch(`/v1/workflows/${id}`).send({ status }).expect(200);

  test('executions stop before their next node, timers run on, and active lets them go on', async () => {
    const { id, executionId } = await started(app, chain(hour, send('mail'), node('end', 'exit')));
    await patch(id, 'paused');
    const later = Date.now() + HOUR_MS + 1_000;
    expect(await drive(app.core, app.keys.projectId, executionId, later)).toMatchObject({ next: 'wait', cause: 'paused' });
    expect(await state(executionId)).toEqual(['running', 'w', 'start completed', 'w completed']);
    expect(await drive(app.core, app.keys.projectId, executionId, later)).toMatchObject({ cause: 'paused' });
    await patch(id, 'active');
    const intent = app.processes.start.mock.calls
      .map(([one]) => one as { workflow: string; input: never })
      .find(({ workflow }) => workflow === 'automationNudge');
    expect(intent?.input).toEqual({ projectId: app.keys.projectId, automationId: id, cancelUpTo: null });
    expect(await nudgePage(app.core, { projectId: app.keys.projectId, automationId: id, cancelUpTo: null, after: '' })).toBeNull();
    expect(app.processes.signal.mock.calls.map(([{ workflowId }]) => workflowId as string)).toEqual([`automation/${executionId}`]);
    await drive(app.core, app.keys.projectId, executionId, later);
    expect(await state(executionId)).toEqual(['exited', null, 'start completed', 'w completed', 'mail completed', 'end completed']);
  });

  test('an exit is a node too, and one that has not begun does not begin', async () => {
    const { id, executionId } = await started(app, chain(hour, node('end', 'exit')));
    const brief = await activate(app, chain(node('end', 'exit')));
    const fresh = await enrol(app, brief, await contact(app));
    await patch(id, 'paused');
    await patch(brief, 'paused');
    await drive(app.core, app.keys.projectId, executionId, Date.now() + HOUR_MS + 1_000);
    await drive(app.core, app.keys.projectId, fresh);
    expect(await state(executionId)).toEqual(['running', 'w', 'start completed', 'w completed']);
    expect(await state(fresh)).toEqual(['running', null]);
  });

  test('a delay that is entered just then runs on, and cancelling it closes its step', async () => {
    const id = await activate(app, chain(hour, node('end', 'exit')));
    const executionId = await enrol(app, id, await contact(app));
    const key = { executionId, projectId: app.keys.projectId, now: Date.now() };
    expect((await advanceFrom(app.core, key, 'run_1', NOTHING_KNOWN)).todo).toMatchObject({ nodeId: 'w' });
    await patch(id, 'paused');
    expect(await drive(app.core, app.keys.projectId, executionId)).toMatchObject({ next: 'wait', cause: 'delay' });
    expect(await state(executionId)).toEqual(['waiting', 'w', 'start completed', 'w waiting']);
    await app.api().post(`/v1/workflows/${id}/executions/${executionId}/cancel`).send({}).expect(200);
    expect(await state(executionId)).toEqual(['cancelled', null, 'start completed', 'w skipped']);
  });

  test('an event that comes meanwhile is not lost', async () => {
    const { id, executionId, contactId } = await started(app, waits());
    await patch(id, 'paused');
    await deliver(await ordered(app, contactId));
    await drive(app.core, app.keys.projectId, executionId);
    expect(await state(executionId)).toEqual(['running', 'w', 'start completed', 'w completed event']);
    await patch(id, 'active');
    await drive(app.core, app.keys.projectId, executionId, Date.now() + 2 * HOUR_MS);
    expect(await state(executionId)).toEqual(['exited', null, 'start completed', 'w completed event', 'e completed']);
  });
});

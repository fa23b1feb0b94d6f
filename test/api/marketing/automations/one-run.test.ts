import { setTimeout as sleep } from 'node:timers/promises';
import { runOn } from '../../../../src/marketing/automations';
import { ExecutionModel } from '../../../../src/marketing/automations/execution-model';
import { automationWaits } from '../../../../src/marketing/automations/waits';
import { disableProject, enableProject, setReputation } from '../../../../src/records/projects/service';
import {
  HOUR_MS,
  chain,
  contact,
  enrol,
  hour,
  node,
  activate,
  always,
  ordered,
  runOf,
  send,
  started,
  waits,
} from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

/* One task of a workflow carries an execution as far as its next wait: each turn goes on from what the one before it has left, and has one transaction. */

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const run = (executionId: string, now = Date.now(), known = 0) =>
  runOn(app.core, { executionId, projectId: app.keys.projectId, now, known }, 'run_1');

/** The nodes that it has left since the trigger. */
async function leftBy(executionId: string, now: number) {
  const { todo, way } = await run(executionId, now, 1);
  return { todo, left: way?.map(({ nodeId }) => nodeId) };
}

const stepsOf = async (executionId: string) => {
  const { status, steps } = await runOf(app, executionId);
  return [status, ...steps.map((step) => `${step.nodeId} ${step.status}`)];
};

const nodes = () => chain(hour, send('mail'), node('note', 'emit_event', { name: 'mail.noted' }), node('end', 'exit', { reason: 'done' }));

test('goes through all nodes after a wait, each once, and says which it has left', async () => {
  const { executionId } = await started(app, nodes());
  const later = Date.now() + HOUR_MS + 1_000;
  const { todo, way } = await run(executionId, later, 1);
  expect(todo).toEqual({ next: 'over', status: 'exited' });
  const sent = await stored.emails.one({ projectId: app.keys.projectId });
  const at: unknown = expect.any(Number);
  expect(way).toEqual([
    { nodeId: 'w', type: 'delay', at },
    { nodeId: 'mail', type: 'send_email', at, emailId: sent?._id },
    { nodeId: 'note', type: 'emit_event', at },
    { nodeId: 'end', type: 'exit', at },
  ]);
  expect(Math.abs((way?.[0]?.at ?? 0) - later)).toBeLessThan(60_000);
  expect(await stepsOf(executionId)).toEqual([
    'exited',
    'start completed',
    'w completed',
    'mail completed',
    'note completed',
    'end completed',
  ]);
  expect(await stored.emails.count({ workflowId: { $exists: true }, projectId: app.keys.projectId })).toBe(1);
  expect(await run(executionId, later, 4)).toEqual({ todo, way: way?.slice(3) });
});

test('stops before the next node where the gate has closed, and goes on from there once it is open', async () => {
  const { id, executionId } = await started(app, nodes());
  const later = Date.now() + HOUR_MS + 1_000;
  await app.api().patch(`/v1/workflows/${id}`).send({ status: 'paused' }).expect(200);
  const { todo, left } = await leftBy(executionId, later);
  expect(todo).toMatchObject({ next: 'wait', cause: 'paused', type: 'delay' });
  expect(left).toEqual(['w']);
  expect(await stepsOf(executionId)).toEqual(['running', 'start completed', 'w completed']);
  expect(await stored.emails.count({ workflowId: id })).toBe(0);
  await app.api().patch(`/v1/workflows/${id}`).send({ status: 'active' }).expect(200);
  await disableProject(app.keys.projectId);
  expect((await run(executionId, later)).todo).toMatchObject({ next: 'wait', cause: 'disabled' });
  await enableProject(app.keys.projectId);
  expect((await run(executionId, later)).todo).toEqual({ next: 'over', status: 'exited' });
});

const turnOf = async (executionId: string) => (await stored.executions.one({ _id: executionId }))?.turn ?? 0;

const asks = (id: string) =>
  node(id, 'condition', {
    conditions: { logic: 'and', groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] },
  });

test('the end of a wait, what is asked behind it, a message and the next wait are stored together', async () => {
  const { executionId } = await started(app, chain(hour, asks('asked'), send('mail'), { ...hour, id: 'again' }));
  const before = await turnOf(executionId);
  const later = Date.now() + HOUR_MS + 1_000;
  const { todo, left } = await leftBy(executionId, later);
  expect(left).toEqual(['w', 'asked', 'mail']);
  expect(todo).toMatchObject({ next: 'wait', nodeId: 'again', cause: 'delay' });
  expect(Math.abs((todo as { until: number }).until - later - HOUR_MS)).toBeLessThan(60_000);
  expect(await stepsOf(executionId)).toEqual([
    'waiting',
    'start completed',
    'w completed',
    'asked completed',
    'mail completed',
    'again waiting',
  ]);
  expect((await turnOf(executionId)) - before).toBe(1);
});

test('slow conditions are stored one after another, and not all at their end', async () => {
  const { executionId } = await started(app, chain(hour, asks('first'), asks('second'), asks('third')));
  const before = await turnOf(executionId);
  const { collection } = stored.contacts;
  const aggregate = collection.aggregate.bind(collection);
  const slow = jest.spyOn(collection, 'aggregate').mockImplementation((...given) => {
    const cursor = aggregate(...given);
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = async () => {
      await sleep(600);
      return toArray();
    };
    return cursor;
  });
  const { left } = await leftBy(executionId, Date.now() + HOUR_MS + 1_000);
  slow.mockRestore();
  expect(left).toEqual(['w', 'first', 'second', 'third']);
  expect((await turnOf(executionId)) - before).toBeGreaterThan(1);
});

test('a message that cannot be made holds back nothing that was before it', async () => {
  const { id, executionId } = await started(app, nodes());
  const later = Date.now() + HOUR_MS + 1_000;
  const reading = jest.spyOn(stored.contacts.collection, 'find').mockImplementation(() => {
    throw new Error('The database is away');
  });
  await expect(run(executionId, later)).rejects.toThrow('The database is away');
  reading.mockRestore();
  expect(await stepsOf(executionId)).toEqual(['running', 'start completed', 'w completed', 'mail running']);
  expect((await run(executionId, later)).todo).toEqual({ next: 'over', status: 'exited' });
  expect(await stored.emails.count({ workflowId: id })).toBe(1);
});

test('a message that waits for the rate of its project holds back nothing that was before it', async () => {
  const { projectId } = app.keys;
  const well = { state: 'ok', reason: null, resetAt: null } as const;
  const throttled = { ...well, state: 'throttled' } as const;
  const { id, executionId } = await started(app, nodes());
  const later = Date.now() + HOUR_MS + 1_000;
  await setReputation(projectId, throttled, well);
  const room = (units: number) =>
    stored.rateBuckets.collection.updateOne({ _id: projectId }, { $set: { units, at: new Date(later) } }, { upsert: true });
  await room(0);
  expect((await run(executionId, later)).todo).toMatchObject({ next: 'wait', nodeId: 'mail', cause: 'throttled' });
  expect(await stepsOf(executionId)).toEqual(['running', 'start completed', 'w completed', 'mail running']);
  await room(1);
  expect((await run(executionId, later)).todo).toEqual({ next: 'over', status: 'exited' });
  expect(await stored.emails.count({ workflowId: id })).toBe(1);
  await setReputation(projectId, well, throttled);
});

test('what was taken or cancelled by another meanwhile is read anew, and done once', async () => {
  const { id, executionId } = await started(app, nodes());
  const later = Date.now() + HOUR_MS + 1_000;
  const both = await Promise.all([run(executionId, later), run(executionId, later)]);
  expect(both.map(({ todo }) => todo)).toEqual([
    { next: 'over', status: 'exited' },
    { next: 'over', status: 'exited' },
  ]);
  expect(await stored.emails.count({ workflowId: id })).toBe(1);

  const other = await enrol(app, id, await contact(app));
  await run(other);
  await app.api().post(`/v1/workflows/${id}/executions/${other}/cancel`).send({}).expect(200);
  expect((await run(other, later)).todo).toEqual({ next: 'over', status: 'cancelled' });
});

test('a wait that is entered in a run hears what comes from then on', async () => {
  const id = await activate(app, waits(), always);
  const contactId = await contact(app);
  const executionId = await enrol(app, id, contactId);
  expect((await run(executionId)).todo).toMatchObject({ next: 'wait', cause: 'event' });
  expect((await ExecutionModel.findById(executionId).lean())?.waitingFor).toMatchObject({ event: 'order.placed', eventId: null });
  await automationWaits.handle(app.core, await ordered(app, contactId), 0);
  expect((await run(executionId)).todo).toMatchObject({ next: 'over' });
});

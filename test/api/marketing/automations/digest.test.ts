import mongoose from 'mongoose';
import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { listeningOf } from '../../../../src/records/events/listeners';
import type { Event } from '../../../../src/records/events/model';
import { aProject } from '../../../support/platform/app';
import { HOUR_MS, activate, always, chain, contact, drive, edge, emitted, node, runOf, send } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

afterEach(() => jest.restoreAllMocks());

const HOUR = { amount: 1, unit: 'hours' };
const LIST = '<p>{{#each items}}{{this.data.n}},{{/each}}</p>';
const digest = (config: object = {}) => chain(node('g', 'digest', { window: HOUR, ...config }), send('mail', { body: LIST }));

let automations = 0;
/** An automation with an event of its own, which each call of `comes` emits for a contact. */
async function gathering(graph: unknown = digest()) {
  const name = `commented.${automations++}`;
  const id = await activate(app, graph, { ...always, trigger: `event:${name}` });
  return {
    id,
    comes: (contactId: string, data: object, change: object = {}) => emitted(app, name, contactId, { data: { ...data }, ...change }),
  };
}

async function process(event: Event): Promise<void> {
  await automationTriggers.handle(app.core, event, (await listeningOf(event.projectId)).version);
}

const executionsOf = (automationId: string) => stored.executions.all({ automationId });
const later = (executionId: string, ms = HOUR_MS + 1_000) => drive(app.core, app.keys.projectId, executionId, Date.now() + ms);
const numbersIn = ({ items = [] }: { items?: readonly { data: string }[] }) =>
  items.map(({ data }) => (JSON.parse(data) as { n: number }).n);
const bodiesOf = async (workflowId: string): Promise<string[]> => {
  const emails = await stored.emails.all({ workflowId });
  const bodies = emails.map(async ({ _id }) => (await app.api().get(`/v1/emails/${_id}`)).body.data.body as string);
  return (await Promise.all(bodies)).map((html) => /<p>(.*?)<\/p>/.exec(html)?.[1] ?? '').sort();
};

test('what comes within the window is gathered, and one message has it all; the next event starts anew', async () => {
  const { id, comes } = await gathering();
  const ada = await contact(app);
  const events = [];
  for (const n of [1, 2, 3]) events.push(await comes(ada, { n }));
  for (const event of events) await process(event);
  const [waiting, ...more] = await executionsOf(id);
  expect(more).toEqual([]);
  const { _id: executionId } = waiting as { _id: string };
  expect(await drive(app.core, app.keys.projectId, executionId)).toMatchObject({ next: 'wait', nodeId: 'g', cause: 'event' });
  const shown = await runOf(app, executionId);
  expect(shown).toMatchObject({
    status: 'waiting',
    currentNodeId: 'g',
    eventId: events[0]?._id,
    waitingFor: { kind: 'event', nodeId: 'g' },
  });
  expect(Math.abs(Date.parse(String(shown['waitingUntil'])) - Date.parse(String(shown['startedAt'])))).toBe(HOUR_MS);
  expect(shown['items']).toEqual(
    events.map(({ _id, name, data, createdAt }) => ({ eventId: _id, name, data, at: createdAt.toISOString() })),
  );
  expect(await stored.emails.count({ workflowId: id })).toBe(0);

  expect(await later(executionId)).toEqual({ next: 'over', status: 'completed' });
  expect(await bodiesOf(id)).toEqual(['1,2,3,']);
  expect((await runOf(app, executionId)).steps[1]).toMatchObject({ nodeId: 'g', status: 'completed', output: { items: 3 } });
  await process(await comes(ada, { n: 4 }));
  for (const event of events) await process(event);
  expect((await executionsOf(id)).map(numbersIn).sort()).toEqual([[1, 2, 3], [4]]);
  expect((await app.api().get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: 2, active: 1 });
});

test('contacts, and the values of a key, are gathered apart', async () => {
  const { id, comes } = await gathering(digest({ key: 'event.thread' }));
  const [ada, bob] = [await contact(app), await contact(app)];
  for (const [n, who, thread] of [
    [1, ada, 'a'],
    [2, ada, 'b'],
    [3, bob, 'a'],
    [4, ada, 'a'],
    [5, ada, undefined],
    [6, ada, null],
  ] as const) {
    await process(await comes(who, { n, thread }));
  }
  expect((await executionsOf(id)).map(numbersIn).sort()).toEqual([[1, 4], [2], [3], [5, 6]]);
});

test('what is full continues at once, and the next event starts anew', async () => {
  const { id, comes } = await gathering(digest({ max: 2 }));
  const ada = await contact(app);
  for (const n of [1, 2]) await process(await comes(ada, { n }));
  const [{ _id: executionId } = { _id: '' }] = await executionsOf(id);
  expect(app.processes.signal).toHaveBeenCalledWith(expect.objectContaining({ workflowId: `automation/${executionId}`, signal: 'nudge' }));
  await process(await comes(ada, { n: 3 }));
  expect(await drive(app.core, app.keys.projectId, executionId)).toEqual({ next: 'over', status: 'completed' });
  expect(await bodiesOf(id)).toEqual(['1,2,']);
  expect((await executionsOf(id)).map(numbersIn).sort()).toEqual([[1, 2], [3]]);
});

test('large events fill it earlier', async () => {
  const { id, comes } = await gathering();
  const ada = await contact(app);
  for (let n = 0; n < 10; n++) await process(await comes(ada, { n, text: 'x'.repeat(32_000) }));
  expect((await executionsOf(id)).map(numbersIn).sort()).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8], [9]]);
});

test('a hundred events at once, each handed on twice, while digests are left: each is an item once', async () => {
  const { id, comes } = await gathering(digest({ key: 'event.thread', max: 7 }));
  const people = [await contact(app), await contact(app)];
  const events = await Promise.all(
    Array.from({ length: 100 }, (_, n) => comes(people[n % 2] as string, { n, thread: n % 3 === 0 ? 'a' : 'b' })),
  );
  let isOver = false;
  const leaving = (async () => {
    while (!isOver) {
      const open = await stored.executions.all({ automationId: id, finishedAt: null });
      await Promise.all(open.map(({ _id }) => later(_id)));
    }
  })();
  await Promise.all([...events, ...events].map(process));
  isOver = true;
  await leaving;
  const executions = await executionsOf(id);
  await Promise.all(executions.map(({ _id }) => later(_id)));
  expect(executions.length).toBeGreaterThan(4);
  expect(executions.flatMap(numbersIn).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  // The message of each has the items of its execution, also those that came in the last moment.
  const said = (await bodiesOf(id)).flatMap((body) => body.split(',').filter(Boolean).map(Number));
  expect(said.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  for (const { items = [] } of executions) expect(items.length).toBeLessThanOrEqual(7);
});

test.each(['before', 'after'] as const)('killed %s any commit, an event that comes again is an item once', async (when) => {
  const { id, comes } = await gathering(digest({ max: 3 }));
  const ada = await contact(app);
  const { prototype } = mongoose.mongo.ClientSession;
  const commit = prototype.commitTransaction;
  const nudges: number[] = [];
  for (let n = 0; n < 7; n++) {
    const event = await comes(ada, { n });
    const dies = jest.spyOn(prototype, 'commitTransaction').mockImplementation(async function (this: mongoose.mongo.ClientSession) {
      if (when === 'after') await commit.call(this);
      throw new Error('Killed');
    });
    await expect(process(event)).rejects.toThrow('Killed');
    dies.mockRestore();
    app.processes.signal.mockClear();
    await process(event);
    nudges.push(app.processes.signal.mock.calls.length);
    await process(event);
  }
  expect((await executionsOf(id)).map(numbersIn).sort()).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
  // The nudge of what is full is repeated with the event.
  expect(nudges).toEqual([0, 0, 1, 0, 0, 1, 0]);
  const [{ _id: first } = { _id: '' }] = await stored.executions.all({ automationId: id, gathering: { $exists: false } });
  expect(await drive(app.core, app.keys.projectId, first)).toMatchObject({ next: 'over' });
});

test('what an enrollment by hand brings is gathered too, once for its key', async () => {
  const { id, comes } = await gathering();
  const ada = await contact(app);
  await process(await comes(ada, { n: 1 }));
  const byHand = (n: number) =>
    app.api().post(`/v1/workflows/${id}/enroll`).set('Idempotency-Key', `by-hand-${id}-${n}`).send({ contactId: ada, data: { n } });
  const { body } = await byHand(2).expect(201);
  expect((await byHand(2).expect(201)).body.data.executionId).toBe(body.data.executionId);
  const [execution, ...more] = await executionsOf(id);
  expect([execution?._id, more.length]).toEqual([body.data.executionId, 0]);
  expect(numbersIn(execution ?? {})).toEqual([1, 2]);
});

test('what the filter of the trigger keeps out is not gathered', async () => {
  const filter = { logic: 'and', groups: [{ filters: [{ field: 'trigger.n', operator: 'greaterThan', value: 1 }] }] };
  const graph = { nodes: [node('start', 'trigger', { filter }), node('g', 'digest', { window: HOUR })], edges: [edge('start', 'g')] };
  const { id, comes } = await gathering(graph);
  const ada = await contact(app);
  for (const n of [2, 1, 3]) await process(await comes(ada, { n }));
  expect((await executionsOf(id)).map(numbersIn)).toEqual([[2, 3]]);
});

test('events of test mode are gathered apart', async () => {
  const { id, comes } = await gathering();
  const ada = await contact(app);
  for (const [n, testMode] of [
    [1, false],
    [2, true],
    [3, false],
  ] as const)
    await process(await comes(ada, { n }, { testMode }));
  expect((await executionsOf(id)).map((one) => [one.testMode, ...numbersIn(one)]).sort()).toEqual([
    [false, 1, 3],
    [true, 2],
  ]);
});

test('while the automation is paused, what was received before is gathered, and nothing goes out', async () => {
  const { id, comes } = await gathering();
  const [ada, bob] = [await contact(app), await contact(app)];
  const set = (status: string) => app.api().patch(`/v1/workflows/${id}`).send({ status }).expect(200);
  await process(await comes(ada, { n: 1 }));
  const received = [await comes(ada, { n: 2 }), await comes(bob, { n: 3 }), await comes(bob, { n: 4 })];
  await set('paused');
  for (const event of received) await process(event);
  const [first = '', second = ''] = (await executionsOf(id)).sort((a, b) => +a.createdAt - +b.createdAt).map(({ _id }) => _id);
  for (const one of [first, second]) expect(await later(one)).toMatchObject({ next: 'wait', cause: 'paused' });
  expect(await stored.emails.count({ workflowId: id })).toBe(0);
  await set('active');
  // The first was held as it left the digest; the other one had not begun, and gathers to the end of its window.
  await process(await comes(ada, { n: 5 }));
  await process(await comes(bob, { n: 6 }));
  for (const one of [first, second]) expect(await later(one)).toMatchObject({ next: 'over' });
  expect(await bodiesOf(id)).toEqual(['1,2,', '3,4,6,']);
});

test('a contact that is deleted and created again starts over; data of the deleted one is removed', async () => {
  const { id, comes } = await gathering();
  const email = 'again@example.com';
  const before = await contact(app, { email });
  await process(await comes(before, { n: 1 }));
  await app.api().delete(`/v1/contacts/${before}`).expect(200);
  const after = await contact(app, { email });
  expect(after).toBe(before);
  await process(await comes(after, { n: 2 }));
  expect(await stored.executions.count({ automationId: id })).toBe(2);
  await process(await stored.events.get({ contactId: before, name: 'contact.deleted' }));
  const [gone, ...others] = await stored.executions.all({ automationId: id, status: 'cancelled' });
  expect([gone?.contactId, gone?.items?.map(({ data }) => data), others]).toEqual([null, ['{}'], []]);
  expect((await stored.executions.all({ automationId: id, contactId: after, 'gathering.key': { $gt: '' } })).map(numbersIn)).toContainEqual(
    [2],
  );
});

test('another graph: what waits is still added to, and what was gathered does not enroll', async () => {
  const { id, comes } = await gathering();
  const ada = await contact(app);
  const events = [await comes(ada, { n: 1 }), await comes(ada, { n: 2 }), await comes(ada, { n: 3 })];
  const change = (graph: unknown) => app.api().patch(`/v1/workflows/${id}`).send({ graph }).expect(200);
  for (const event of events.slice(0, 2)) await process(event);
  await change(digest({ window: { amount: 2, unit: 'hours' } }));
  for (const event of events) await process(event);
  expect((await executionsOf(id)).map(numbersIn)).toEqual([[1, 2, 3]]);
  await change(chain(send('mail')));
  for (const event of events) await process(event);
  expect(await stored.executions.count({ automationId: id })).toBe(1);
});

test('conditions and switches read the items', async () => {
  const large = { logic: 'and', groups: [{ filters: [{ field: 'items.data.n', operator: 'greaterThan', value: 5 }] }] };
  const graph = chain(
    node('g', 'digest', { window: HOUR }),
    node('c', 'condition', { conditions: large }),
    node('e', 'exit', { reason: 'large' }),
  );
  const { id, comes } = await gathering(graph);
  const [ada, bob] = [await contact(app), await contact(app)];
  for (const [who, n] of [
    [ada, 1],
    [ada, 6],
    [bob, 2],
  ] as const)
    await process(await comes(who, { n }));
  for (const { _id } of await executionsOf(id)) await later(_id);
  expect((await executionsOf(id)).map(({ status, exitReason }) => [status, exitReason]).sort()).toEqual([
    ['completed', null],
    ['exited', 'large'],
  ]);
});

test.each<[string, object, string[]]>([
  ['no event starts it', { trigger: 'contact.created' }, ['graph.nodes.1']],
  ['not each event enrolls', { reentry: 'after_exit' }, ['graph.nodes.1']],
  ['it is not the first node', { graph: chain(node('w', 'delay', HOUR), node('g', 'digest', { window: HOUR })) }, ['graph.nodes.2']],
])('a digest is refused where %s', async (_why, change, paths) => {
  const draft = { name: 'W', trigger: 'event:a', ...always, graph: digest(), ...change };
  const { body } = await app.api().post('/v1/workflows').send(draft).expect(201);
  const answer = await app
    .api()
    .patch(`/v1/workflows/${body.data.workflowId as string}`)
    .send({ status: 'active' })
    .expect(422);
  expect((answer.body.details as { path: string; code: string }[]).map(({ path, code }) => [path, code])).toEqual(
    paths.map((path) => [path, 'invalid_graph']),
  );
});

test('a rehearsal gathers what its script brings in the window', async () => {
  const { id } = await gathering(digest({ key: 'event.thread' }));
  const { name } = (await stored.automations.one({ _id: id })) ?? { name: '' };
  expect(name).toBe('Welcome');
  const trigger = (await stored.automations.one({ _id: id }))?.trigger.slice('event:'.length);
  const comes = (n: number, after: string, thread = 'a') => ({ name: trigger, data: { n, thread }, after });
  const { body } = await app
    .api()
    .post(`/v1/workflows/${id}/rehearse`)
    .send({
      start: '2026-12-01T08:00:00.000Z',
      data: { n: 1, thread: 'a' },
      events: [comes(2, 'PT10M'), comes(3, 'PT20M', 'b'), { ...comes(4, 'PT30M'), name: 'other' }, comes(5, 'PT1H'), comes(6, 'PT61M')],
    })
    .expect(200);
  expect(body.data).toMatchObject({
    status: 'completed',
    endedAt: '2026-12-01T09:00:00.000Z',
    emails: [{ nodeId: 'mail', at: '2026-12-01T09:00:00.000Z', html: '<p>1,2,5,</p>' }],
    path: [{ nodeId: 'start' }, { nodeId: 'g', output: { items: 3 } }, { nodeId: 'mail' }],
  });
});

test.each(['gathering.key', 'items.eventId'])('an index finds executions by %s', async (member) => {
  const filter = { projectId: { $in: [app.keys.projectId] }, [member]: { $in: ['a', 'b'] } };
  const plan = JSON.stringify(await stored.executions.collection.find(filter).explain('queryPlanner'));
  expect(plan).toContain(`projectId_1_${member}_1`);
  expect(plan).not.toContain('COLLSCAN');
});

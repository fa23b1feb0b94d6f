import type { EmailFact } from '../../../../src/rules/conditions/types';
import { automationWaits } from '../../../../src/marketing/automations/waits';
import { EventModel } from '../../../../src/records/events/model';
import type { Event } from '../../../../src/records/events/model';
import { aProject } from '../../../support/platform/app';
import { HOUR_MS, activate, always, chain, contact, drive, edge, enrol, node, runOf, send } from '../../../support/calls/automations';
import type { Run } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';
import { pixel, recorded, visit } from '../../public/visits';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const asks = (status: EmailFact, nodeId: string, rest: object = { operator: 'triggered' }) => ({
  conditions: { logic: 'and', groups: [{ filters: [{ field: `email.${status}`, nodeId, ...rest }] }] },
});
const hour = (id: string) => node(id, 'delay', { amount: 1, unit: 'hours' });

/** Sends two messages, waits an hour, and then asks about each. */
const twoMessages = (first: object, second: object) => ({
  nodes: [
    node('start', 'trigger'),
    send('hello'),
    send('offer', { type: 'marketing' }),
    hour('w'),
    node('of_hello', 'condition', { ...first }),
    node('of_offer', 'condition', { ...second }),
  ],
  edges: [
    edge('start', 'hello'),
    edge('hello', 'offer'),
    edge('offer', 'w'),
    edge('w', 'of_hello'),
    edge('of_hello', 'of_offer', 'yes'),
    edge('of_hello', 'of_offer', 'no'),
  ],
});

const later = (executionId: string) => drive(app.core, app.keys.projectId, executionId, Date.now() + HOUR_MS + 1_000);

const stepOf = ({ steps }: Run, nodeId: string) => steps.find((step) => step.nodeId === nodeId);

const mailOf = async (executionId: string, nodeId: string): Promise<string> =>
  stepOf(await runOf(app, executionId), nodeId)?.output?.['emailId'] as string;

async function arrives(emailId: string): Promise<void> {
  const at = new Date();
  await stored.emails.change(emailId, { status: 'delivered', sentAt: at, deliveredAt: at });
}

async function begun(workflowId: string, contactId: string, change: object = {}, key?: string): Promise<string> {
  const executionId = await enrol(app, workflowId, contactId, { ...change }, key);
  await drive(app.core, app.keys.projectId, executionId);
  for (const { output } of (await runOf(app, executionId)).steps) if (output?.['emailId']) await arrives(output['emailId'] as string);
  return executionId;
}

/** The recipient opens a message. */
async function opens(emailId: string): Promise<void> {
  await visit(app, 'get', pixel(app, { _id: emailId })).expect(200);
  await recorded();
}

const branches = async (executionId: string): Promise<unknown[]> => {
  await later(executionId);
  const run = await runOf(app, executionId);
  return ['of_hello', 'of_offer'].map((nodeId) => stepOf(run, nodeId)?.branch);
};

describe('a condition that names a node', () => {
  test('asks about the message of that node, and of no other', async () => {
    const id = await activate(app, twoMessages(asks('opened', 'hello'), asks('opened', 'offer')), always);
    const executionId = await begun(id, await contact(app));
    await opens(await mailOf(executionId, 'offer'));
    expect(await branches(executionId)).toEqual(['no', 'yes']);
  });

  test('asks about its own execution: what the contact opened in another one does not count', async () => {
    const id = await activate(app, twoMessages(asks('opened', 'hello'), asks('opened', 'offer')), always);
    const contactId = await contact(app);
    const [first, second] = [await begun(id, contactId), await begun(id, contactId)];
    await opens(await mailOf(first, 'hello'));
    expect(await branches(second)).toEqual(['no', 'no']);
    expect(await branches(first)).toEqual(['yes', 'no']);
  });

  test('finds nothing where the message was skipped, and takes each operator', async () => {
    const id = await activate(app, twoMessages(asks('sent', 'hello'), asks('sent', 'offer')), always);
    expect(await branches(await begun(id, await contact(app, { subscribed: false })))).toEqual(['yes', 'no']);
    const counted = twoMessages(
      asks('delivered', 'hello', { operator: 'countAtLeast', value: 1 }),
      asks('delivered', 'hello', { operator: 'countAtLeast', value: 2 }),
    );
    expect(await branches(await begun(await activate(app, counted), await contact(app)))).toEqual(['yes', 'no']);
    const recent = twoMessages(
      asks('sent', 'hello', { operator: 'triggeredWithin', value: 2, unit: 'hours' }),
      asks('clicked', 'offer', { operator: 'notTriggered' }),
    );
    expect(await branches(await begun(await activate(app, recent), await contact(app)))).toEqual(['yes', 'yes']);
  });

  test('in test mode, asks about the test message', async () => {
    const id = await activate(app, twoMessages(asks('delivered', 'hello'), asks('opened', 'offer')), always);
    expect(await branches(await begun(id, await contact(app), {}, app.keys.test))).toEqual(['yes', 'no']);
  });

  test('is asked by a switch too', async () => {
    const cases = [{ branch: 'opened', operator: 'triggered' }];
    const graph = chain(send('hello'), hour('w'), node('s', 'switch', { field: 'email.opened', nodeId: 'hello', cases }));
    const id = await activate(app, graph, always);
    const branchOf = async (executionId: string) => {
      await later(executionId);
      return stepOf(await runOf(app, executionId), 's')?.branch;
    };
    const executionId = await begun(id, await contact(app));
    await opens(await mailOf(executionId, 'hello'));
    expect(await branchOf(executionId)).toBe('opened');
    expect(await branchOf(await begun(id, await contact(app)))).toBe('default');
  });
});

describe('a wait that names a node', () => {
  const graph = (filter: object) => ({
    nodes: [
      node('start', 'trigger'),
      send('hello'),
      send('offer'),
      node('w', 'wait_for_event', { event: 'email.opened', filter, timeout: { amount: 1, unit: 'hours' } }),
    ],
    edges: [edge('start', 'hello'), edge('hello', 'offer'), edge('offer', 'w')],
  });

  const openOf = async (emailId: string): Promise<Event> =>
    (await EventModel.findOne({ emailId, name: 'email.opened' }).lean<Event>()) as Event;

  const deliver = async (emailId: string): Promise<void> => automationWaits.handle(app.core, await openOf(emailId), 0);

  test('is ended by the opening of its message, not of another one', async () => {
    const id = await activate(app, graph({ nodeId: 'hello', first: true }), always);
    const executionId = await begun(id, await contact(app));
    const [hello, offer] = [await mailOf(executionId, 'hello'), await mailOf(executionId, 'offer')];
    await opens(offer);
    await deliver(offer);
    expect((await runOf(app, executionId)).status).toBe('waiting');
    await opens(hello);
    await deliver(hello);
    await drive(app.core, app.keys.projectId, executionId);
    const opened = await openOf(hello);
    expect(stepOf(await runOf(app, executionId), 'w')).toMatchObject({ branch: 'event', output: { eventId: opened._id } });
  });

  test('finds the opening that came before anybody could hand it over', async () => {
    const id = await activate(app, graph({ nodeId: 'offer' }), always);
    const executionId = await begun(id, await contact(app));
    await opens(await mailOf(executionId, 'hello'));
    const offer = await mailOf(executionId, 'offer');
    await opens(offer);
    await drive(app.core, app.keys.projectId, executionId);
    expect(stepOf(await runOf(app, executionId), 'w')?.output).toEqual({ eventId: (await openOf(offer))._id });
  });

  test('runs out where only another message was opened', async () => {
    const id = await activate(app, graph({ nodeId: 'hello' }), always);
    const executionId = await begun(id, await contact(app));
    await opens(await mailOf(executionId, 'offer'));
    await later(executionId);
    expect(stepOf(await runOf(app, executionId), 'w')?.branch).toBe('timeout');
  });
});

describe('a node that cannot be asked about', () => {
  test('is refused when the automation is activated, and by the check, at its path', async () => {
    const graph = chain(hour('w'), node('c', 'condition', asks('opened', 'hello')), send('hello'));
    const { body: draft } = await app.api().post('/v1/workflows').send({ name: 'A', trigger: 'event:x', graph }).expect(201);
    const { body } = await app.api().patch(`/v1/workflows/${draft.data.workflowId}`).send({ status: 'active' }).expect(422);
    const path = 'graph.nodes.2.config.conditions.groups.0.filters.0.nodeId';
    expect(body.details).toMatchObject([{ path, code: 'invalid_graph' }]);
    expect((await app.api().post('/v1/workflows/check').send({ graph }).expect(200)).body.data.faults).toMatchObject([{ path }]);
  });

  test('is refused outside of automations', async () => {
    const { conditions } = asks('opened', 'hello');
    const details = async (path: string, body: object) => (await app.api().post(path).send(body).expect(422)).body.details as unknown;
    const fault = { path: 'conditions.groups.0.filters.0.nodeId', code: 'invalid_condition' };
    expect(await details('/v1/segments', { name: 'S', type: 'dynamic', conditions })).toMatchObject([fault]);
    expect(await details('/v1/segments/preview', { conditions })).toMatchObject([fault]);
  });
});

test('a rehearsal asks about the message that an event of its script is of', async () => {
  const graph = twoMessages(asks('opened', 'hello'), asks('opened', 'offer'));
  const { body } = await app.api().post('/v1/workflows').send({ name: 'A', trigger: 'event:x', graph }).expect(201);
  const branchesWith = async (...events: object[]) => {
    const rehearsed = await app.api().post(`/v1/workflows/${body.data.workflowId}/rehearse`).send({ events }).expect(200);
    return (rehearsed.body.data.path as { type: string; branch: string }[]).flatMap(({ type, branch }) =>
      type === 'condition' ? branch : [],
    );
  };
  const opened = { name: 'email.opened', after: 'PT10M' };
  expect(await branchesWith()).toEqual(['no', 'no']);
  expect(await branchesWith({ ...opened, data: { nodeId: 'hello' } })).toEqual(['yes', 'no']);
  expect(await branchesWith(opened)).toEqual(['no', 'yes']);
});

import mongoose from 'mongoose';
import { ExecutionModel } from '../../../../src/marketing/automations/execution-model';
import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { listeningOf } from '../../../../src/records/events/listeners';
import { EventModel } from '../../../../src/records/events/model';
import type { Event } from '../../../../src/records/events/model';
import { startTestApp } from '../../../support/app';
import type { TestApp } from '../../../support/app';
import { activate, chain, contact, node, emitted } from '../../../support/automations';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const WAITS = chain(node('w', 'delay', { amount: 1, unit: 'days' }));

async function process(event: Event): Promise<void> {
  await automationTriggers.handle(app.core, event, (await listeningOf(event.projectId)).version);
}

const executionsOf = (automationId: string) => ExecutionModel.find({ automationId }).lean();

test('contacts that enter at once share transactions, and each stands at its first node', async () => {
  const id = await activate(app, WAITS, { trigger: 'event:crowd' });
  const crowd = await Promise.all(Array.from({ length: 160 }, (_, n) => contact(app, { email: `crowd-${n}@example.com` })));
  const events = await Promise.all(crowd.map((contactId) => emitted(app, 'crowd', contactId)));
  const commits = jest.spyOn(mongoose.mongo.ClientSession.prototype, 'commitTransaction');
  await Promise.all(events.map(process));
  expect(commits.mock.calls.length).toBeLessThan(80);
  commits.mockRestore();
  const executions = await executionsOf(id);
  expect(executions.map(({ contactId }) => contactId).sort()).toEqual([...crowd].sort());
  for (const one of executions) {
    expect(one).toMatchObject({ status: 'waiting', currentNodeId: 'w', turn: 1 });
    expect(one.steps.map(({ nodeId, status }) => [nodeId, status])).toEqual([
      ['start', 'completed'],
      ['w', 'waiting'],
    ]);
  }
  expect(await EventModel.countDocuments({ contactId: { $in: crowd }, name: 'workflow.entered' })).toBe(160);
  expect((await app.api().get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: 160, active: 160 });
});

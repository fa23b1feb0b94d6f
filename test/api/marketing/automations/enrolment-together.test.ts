import mongoose from 'mongoose';
import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { listeningOf } from '../../../../src/records/events/listeners';
import type { Event } from '../../../../src/records/events/model';
import type { StartIntent } from '../../../../src/contracts/processes';
import { aProject } from '../../../support/platform/app';
import { activate, chain, contact, node, emitted } from '../../../support/calls/automations';
import { eventually } from '../../../support/platform/platform';
import { storePeople } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject();

const WAITS = chain(node('w', 'delay', { amount: 1, unit: 'days' }));

async function process(event: Event): Promise<void> {
  await automationTriggers.handle(app.core, event, (await listeningOf(event.projectId)).version);
}

const executionsOf = (automationId: string) => stored.executions.all({ automationId });

test('contacts that enter at once share transactions, and each stands at its first node', async () => {
  const id = await activate(app, WAITS, { trigger: 'event:crowd' });
  const crowd = await storePeople(app.keys.projectId, 160);
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
  expect(await stored.events.count({ contactId: { $in: crowd }, name: 'workflow.entered' })).toBe(160);
  expect((await app.api().get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: 160, active: 160 });
});

test('workflows of a crowd begin a few at a time, and another project goes between them', async () => {
  const crowd = await activate(app, WAITS, { trigger: 'event:crowd.begins' });
  const other = await activate(app, WAITS, { trigger: 'event:other.begins', reentry: 'always' }, app.otherKeys.secret);
  const theirs = await contact(app, {}, app.otherKeys.secret);
  const beginTheirs = async () => process(await emitted(app, 'other.begins', theirs, { projectId: app.otherKeys.projectId }));
  // A project that has been the only one for a while has more places.
  await beginTheirs();
  const begun: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  app.processes.start.mockImplementation(async ({ attributes }: StartIntent) => {
    begun.push(attributes.automationId ?? '');
    await released;
  });
  const contacts = await storePeople(app.keys.projectId, 30);
  const events = await Promise.all(contacts.map((contactId) => emitted(app, 'crowd.begins', contactId)));
  const handed = events.map(process);
  await eventually('all are enrolled', async () => (await executionsOf(crowd)).length === 30);
  await eventually('some have begun', () => begun.length > 0);
  const last = beginTheirs();
  await eventually('the other has begun', () => begun.includes(other));
  expect(begun.length).toBeLessThanOrEqual(5);
  release();
  await Promise.all([...handed, last]);
  expect(begun.filter((id) => id === crowd)).toHaveLength(30);
  app.processes.start.mockResolvedValue(undefined);
});

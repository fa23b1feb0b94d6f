import mongoose from 'mongoose';
import { aProject } from '../../../support/platform/app';
import { activate, chain, contact, drive, enrol, node, runOf, send } from '../../../support/calls/automations';
import { storeSegment } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

/** Executions of new contacts that all come to their message at the same time. */
async function crowd(size: number) {
  const id = await activate(app, chain(send('mail')));
  const contacts = await Promise.all(Array.from({ length: size }, () => contact(app)));
  const executions = await Promise.all(contacts.map((contactId) => enrol(app, id, contactId)));
  const go = () => Promise.all(executions.map((executionId) => drive(app.core, app.keys.projectId, executionId)));
  return { id, contacts, executions, go };
}

const workflowMail = async () => (await app.api().get('/v1/billing').expect(200)).body.data.categories.workflow.used as number;

test('messages of many executions share transactions; each has its row, its event and its share of the usage', async () => {
  const { contacts, executions, go } = await crowd(60);
  const before = await workflowMail();
  const commits = jest.spyOn(mongoose.mongo.ClientSession.prototype, 'commitTransaction');
  await go();
  expect(commits.mock.calls.length).toBeLessThan(20);
  commits.mockRestore();
  const rows = await stored.emails.all({ contactId: { $in: contacts } });
  expect(rows.map(({ contactId }) => contactId).sort()).toEqual([...contacts].sort());
  expect(await stored.events.count({ contactId: { $in: contacts }, name: 'workflow.completed' })).toBe(60);
  expect(await workflowMail()).toBe(before + 60);
  const [first = ''] = executions;
  expect((await runOf(app, first)).steps.map(({ nodeId, status }) => `${nodeId} ${status}`)).toEqual(['start completed', 'mail completed']);
});

test('a cap that is reached in the middle of such a transaction skips what is beyond it', async () => {
  const { executions, go } = await crowd(12);
  await app
    .api()
    .patch('/v1/billing')
    .send({ monthlyLimitWorkflow: (await workflowMail()) + 5 })
    .expect(200);
  await go();
  const ends = await Promise.all(executions.map(async (id) => (await runOf(app, id)).steps.at(-1)));
  expect(ends.filter((step) => step?.status === 'completed')).toHaveLength(5);
  expect(ends.filter((step) => step?.status === 'skipped')).toHaveLength(7);
});

test('what many executions do to their contacts shares commands; what is wrong with one contact fails its execution alone', async () => {
  const segmentId = await storeSegment(app.keys.projectId);
  const change = node('change', 'update_contact', { data: { text: '{{event.text}}' } });
  const graph = chain(change, node('join', 'add_to_segment', { segmentId }), node('event', 'emit_event', { name: 'joined' }));
  const id = await activate(app, graph);
  const contacts = await Promise.all(
    Array.from({ length: 40 }, (_, n) => contact(app, n === 7 ? { data: { long: 'x'.repeat(32_700) } } : {})),
  );
  const executions = await Promise.all(contacts.map((one, n) => enrol(app, id, one, { data: { text: `${n}`.padEnd(100) } })));
  const writes = jest.spyOn(stored.contacts.collection, 'bulkWrite');
  await Promise.all(executions.map((one) => drive(app.core, app.keys.projectId, one)));
  expect(writes.mock.calls.length).toBeLessThan(10);
  writes.mockRestore();
  const runs = await Promise.all(executions.map((one) => runOf(app, one)));
  expect(runs.map(({ status }) => status)).toEqual(contacts.map((_, n) => (n === 7 ? 'failed' : 'completed')));
  const changed = await stored.contacts.all({ _id: { $in: contacts } });
  const texts = new Map(changed.map(({ _id, data }) => [_id, (data as { text?: string } | null)?.text?.trim() ?? 'none']));
  expect(contacts.map((one) => texts.get(one))).toEqual(contacts.map((_, n) => (n === 7 ? 'none' : `${n}`)));
  for (const name of ['contact.updated', 'segment.entered', 'joined']) {
    expect([name, await stored.events.count({ contactId: { $in: contacts }, name })]).toEqual([name, 39]);
  }
});

import { contactIdFor } from '../../../../src/audience/contacts/service';
import { getProject } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { activate, always, chain, drive, enrol, play, runOf, send } from '../../../support/calls/automations';
import { erasureCalls } from '../../../support/calls/erasures';
import { freshAddress } from '../../../support/data/people';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { erase, remove } = erasureCalls(() => app);

const contact = async (email: string): Promise<string> =>
  (await app.api().post('/v1/contacts').send({ email }).expect(201)).body.data.contactId as string;
const byApi = async (to: string, key: string) =>
  (await app.api().post('/v1/send').send({ to, subject: 'Hello', text: 'Hello', from: 'team@hello.test', sendOnce: { key } }).expect(200))
    .body.data.results[0] as { id: string };

test('a node’s send-once key skips a contact who has the message, and the execution continues', async () => {
  const [email, fresh] = [freshAddress(), freshAddress()];
  const [had, hasNot] = [await contact(email), await contact(fresh)];
  const { id } = await byApi(email, 'hello');
  const workflow = await activate(app, chain(send('mail', { sendOnce: { key: 'hello' } }), send('after')), always);

  const skipped = await play(app, workflow, had);
  const sent = await play(app, workflow, hasNot);

  const steps = ({ steps: all }: typeof sent) => all.slice(1).map(({ nodeId, status, output }) => [nodeId, status, output]);
  expect(steps(skipped)).toEqual([
    ['mail', 'skipped', { skipped: 'limit_reached', detail: { sendOnce: 'hello', emailId: id } }],
    ['after', 'completed', { emailId: expect.any(String) }],
  ]);
  expect(steps(sent).map(([, status]) => status)).toEqual(['completed', 'completed']);
  expect(await byApi(fresh, 'hello')).toMatchObject({ skipped: 'limit_reached' });
});

test('executions that share a transaction send one message of a key to a contact', async () => {
  const contactId = await contact(freshAddress());
  const workflow = await activate(app, chain(send('mail', { sendOnce: { key: 'together' } })), always);
  const executions: string[] = [];
  for (let n = 0; n < 20; n++) executions.push(await enrol(app, workflow, contactId));
  await Promise.all(executions.map((id) => drive(app.core, app.keys.projectId, id)));
  const ends = await Promise.all(executions.map(async (id) => (await runOf(app, id)).steps.at(-1)?.status));
  expect(ends.filter((status) => status === 'completed')).toHaveLength(1);
  expect(ends.filter((status) => status === 'skipped')).toHaveLength(19);
});

test('an automation’s message that waits for a cap is scheduled, and its workflow wanted', async () => {
  const cap = { name: 'daily', max: 1, per: { amount: 1, unit: 'days' }, whenReached: 'wait' };
  await app
    .api()
    .patch('/v1/settings')
    .send({ frequencyCaps: [cap] })
    .expect(200);
  const contactId = await contact(freshAddress());
  const workflow = await activate(app, chain(send('mail', { type: 'marketing' })), always);
  await play(app, workflow, contactId);
  const { steps } = await play(app, workflow, contactId);
  const emailId = (steps.at(-1)?.output as { emailId: string }).emailId;
  const email = (await app.api().get(`/v1/emails/${emailId}`).expect(200)).body.data as { status: string; scheduledFor: string };
  expect(email).toMatchObject({ status: 'queued', scheduledFor: expect.any(String) });
  const workflowId = `scheduled-send/${app.keys.projectId}/${email.scheduledFor.slice(0, 16)}`;
  const starts = await eventually(
    'the workflow of its minute is started',
    () => app.processes.start.mock.calls.length > 0 && app.processes.start.mock.calls,
  );
  expect(JSON.stringify(starts)).toContain(workflowId);
  await app.api().delete(`/v1/emails/${emailId}`).expect(200);
  await app.api().patch('/v1/settings').send({ frequencyCaps: [] }).expect(200);
});

test('erasing a person removes what limits count of them', async () => {
  const email = freshAddress();
  await contact(email);
  await byApi(email, 'erased');
  const contactId = contactIdFor(await getProject(app.keys.projectId), email);
  expect(await stored.personLimits.count({ contactId })).toBe(1);
  await remove(email);
  await erase(email);
  expect(await stored.personLimits.count({ contactId })).toBe(0);
});

import type { WorkflowExecutionInfo } from '@temporalio/client';
import { detailsOf } from '../../../support/checks/summaries';
import { storeEmails } from '../../../support/data/email-rows';
import { scheduledSendId, minuteOf } from '../../../../src/contracts/waiting-mail';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { aTemporalClient } from '../../../support/platform/platform-parts';
import { stored } from '../../../support/data/stored';

const MESSAGES = 60;
const HOUR_MS = 3_600_000;
const RETRY_MS = 30_000;

const platform = aPlatform({ env: { SMTP_RETRY_SECONDS: `${RETRY_MS / 1_000},3600` } });
const client = aTemporalClient(platform);

async function found(query: string): Promise<readonly WorkflowExecutionInfo[]> {
  const all: WorkflowExecutionInfo[] = [];
  for await (const execution of client.workflow.list({ query })) all.push(execution);
  return all;
}

async function signalsOf(workflowId: string): Promise<number> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes != null).length;
}

/** The middle of a minute that is far enough ahead. */
function soon(aheadMs: number): Date {
  const at = Date.now() + aheadMs;
  return new Date(at % 60_000 > 55_000 ? at + 6_000 : at);
}

test('many single messages for one instant share a workflow, which names them, and go out on time', async () => {
  const at = soon(15_000);
  const ids = await Promise.all(
    Array.from({ length: MESSAGES }, (_, n) => platform.send(`scheduled-${n}@example.com`, { sendAt: at.toISOString() })),
  );
  const workflowId = scheduledSendId(platform.keys.projectId, minuteOf(at));
  await eventually('the first message finds its workflow', async () =>
    (await found(`EmailId = "${ids[0]}"`)).some((execution) => execution.workflowId === workflowId),
  );
  const first = await eventually('the first has arrived', () => (platform.smtp.messages.length > 0 ? Date.now() : 0), 30_000);
  await eventually('all have arrived', () => platform.smtp.messages.length === MESSAGES, 30_000);
  expect(first).toBeGreaterThanOrEqual(at.getTime());
  expect(new Set(platform.smtp.messages.map(({ to }) => to)).size).toBe(MESSAGES);

  const workflows = await found(`WorkflowType = "scheduledSend" AND ProjectId = "${platform.keys.projectId}"`);
  expect(new Set(workflows.map((execution) => execution.workflowId))).toEqual(new Set([workflowId]));
  expect(await signalsOf(workflowId)).toBeLessThan(10);
});

const minuteIn = (aheadMs: number): Date => minuteOf(new Date(Date.now() + aheadMs));
const handleOf = (at: Date) => client.workflow.getHandle(scheduledSendId(platform.keys.projectId, minuteOf(at)));
const statusOf = async (at: Date): Promise<string> => (await handleOf(at).describe()).status.name;

test('a minute that is terminated in Temporal is started again, and its mail goes out', async () => {
  const at = soon(40_000);
  const id = await platform.send('terminated@example.com', { sendAt: at.toISOString() });
  await eventually('its workflow runs', async () => (await statusOf(at)) === 'RUNNING');
  await handleOf(at).terminate('by hand');
  await eventually('it runs again', async () => (await statusOf(at)) === 'RUNNING', 30_000);
  await platform.untilStatus(id, 'delivered');
  expect(Date.now()).toBeGreaterThanOrEqual(at.getTime());
  expect(platform.arrived('terminated@example.com')).toHaveLength(1);
});

test('a minute that is cancelled in Temporal cancels its mail, which costs nothing', async () => {
  const used = async () => (await platform.get('/v1/billing')).body.data.usage as unknown;
  const before = await used();
  const at = new Date(minuteIn(3 * HOUR_MS).getTime() + 10_000);
  const ids = await Promise.all(
    ['a', 'b', 'c'].map((name) => platform.send(`cancelled-${name}@example.com`, { sendAt: at.toISOString() })),
  );
  await eventually('its workflow runs', async () => (await statusOf(at)) === 'RUNNING');
  await handleOf(at).cancel();
  for (const id of ids) expect(await platform.untilStatus(id, 'cancelled')).toMatchObject({ status: 'cancelled' });
  expect(await used()).toEqual(before);
  await eventually('the workflow has ended', async () => (await statusOf(at)) === 'CANCELLED');
});

test('mail of a minute that has no workflow at its instant is late, and is sent', async () => {
  const at = soon(3_000);
  const id = await platform.send('forgotten@example.com', { sendAt: at.toISOString() });
  await stored.emails.change(id, { scheduledFor: new Date(at.getTime() - 3_600_000), dueAt: new Date(at.getTime() - 3_600_000) });
  expect(await platform.untilStatus(id, 'delivered')).toMatchObject({ attempts: 1 });
});

test('a message accepted later for an earlier instant does not wait for the later one', async () => {
  await platform.send('in-an-hour@example.com', { sendAt: new Date(Date.now() + HOUR_MS).toISOString() });
  await eventually('the pumps sleep', async () => (await found('WorkflowType = "deliveryPump"')).length > 0);
  const at = Date.now() + 3_000;
  await platform.send('in-a-moment@example.com', { sendAt: new Date(at).toISOString() });
  await eventually('it has arrived', () => platform.arrived('in-a-moment@example.com').length === 1, 15_000);
  expect(platform.arrived('in-an-hour@example.com')).toEqual([]);
});

test('the workflow of a minute ends when its last message is cancelled, and begins anew for another', async () => {
  const sendAt = new Date(minuteOf(new Date(Date.now() + 2 * HOUR_MS)).getTime() + 30_000);
  const workflowId = scheduledSendId(platform.keys.projectId, minuteOf(sendAt));
  const statusIs = (status: string) => async (): Promise<boolean> =>
    (await client.workflow.getHandle(workflowId).describe()).status.name === status;
  const ids = [await platform.send('one@example.com', { sendAt: sendAt.toISOString() })];
  ids.push(await platform.send('two@example.com', { sendAt: sendAt.toISOString() }));
  await eventually('the second message is found too', async () => (await found(`EmailId = "${ids[1]}"`)).length === 1, 30_000);
  const contactId: unknown = expect.stringMatching(/^ctc_/);
  expect((await client.workflow.getHandle(workflowId).describe()).searchAttributes).toMatchObject({
    ProjectId: [platform.keys.projectId],
    RecipientId: [contactId, contactId],
    Due: [minuteOf(sendAt)],
  });

  await platform.request('DELETE', `/v1/emails/${ids[0]}`);
  await eventually('the cancelled one is not named any more', async () => (await found(`EmailId = "${ids[0]}"`)).length === 0, 30_000);
  expect(await statusIs('RUNNING')()).toBe(true);

  await platform.request('DELETE', `/v1/emails/${ids[1]}`);
  await eventually('the workflow has ended', statusIs('COMPLETED'), 30_000);

  await platform.send('three@example.com', { sendAt: sendAt.toISOString() });
  await eventually('another one waits', statusIs('RUNNING'), 30_000);
});

test('a moved message goes out at its new time and is found in its new minute', async () => {
  const inTwoHours = new Date(minuteOf(new Date(Date.now() + 2 * HOUR_MS)).getTime() + 90_000);
  const later = await platform.send('moved@example.com', { sendAt: inTwoHours.toISOString() });
  await eventually('it is found', async () => (await found(`EmailId = "${later}"`)).length === 1, 30_000);
  const at = soon(8_000);
  await platform.request('PATCH', `/v1/emails/${later}`, { sendAt: at.toISOString() });
  const arrivedAt = await eventually('it has arrived', () => (platform.arrived('moved@example.com').length === 1 ? Date.now() : 0), 30_000);
  expect(arrivedAt).toBeGreaterThanOrEqual(at.getTime());
  const left = client.workflow.getHandle(scheduledSendId(platform.keys.projectId, minuteOf(inTwoHours)));
  await eventually('the minute it was in is over', async () => (await left.describe()).status.name === 'COMPLETED', 30_000);
  expect((await found(`EmailId = "${later}"`)).map((execution) => execution.workflowId)).toContain(
    scheduledSendId(platform.keys.projectId, minuteOf(at)),
  );
});

const listsOf = (emailId: string | undefined) => found(`EmailId = "${emailId}"`);
const isFound = (emailId: string | undefined) => eventually('it is found', async () => (await listsOf(emailId))[0]?.workflowId, RETRY_MS);
/** The retry comes after 30 seconds, and is noticed after ten at most. */
const isFoundNoMore = (emailId: string) =>
  eventually('it is found no more', async () => (await listsOf(emailId)).length === 0, 4 * RETRY_MS);

test('a message that a 451 defers is found by its id, until it is delivered or cancelled', async () => {
  platform.smtp.script = { rcpt: { reply: '451 4.3.2 Later' } };
  const [delivered, cancelled] = [await platform.send('later@example.com'), await platform.send('never@example.com')];
  for (const id of [delivered, cancelled]) expect(await isFound(id)).toBe(`deferred/${platform.keys.projectId}/1`);
  const handle = client.workflow.getHandle(`deferred/${platform.keys.projectId}/1`);
  await eventually(
    'it says so',
    async () => (await detailsOf(handle)).startsWith('2 messages wait for another attempt, the first at 20'),
    RETRY_MS,
  );

  await platform.post('/v1/suppressions', { email: 'never@example.com' });
  platform.smtp.script = {};
  await Promise.all([isFoundNoMore(delivered), isFoundNoMore(cancelled)]);
  await platform.untilStatus(delivered, 'delivered');
  await platform.untilStatus(cancelled, 'cancelled');
  expect((await handle.describe()).status.name).toBe('COMPLETED');
});

test('of many, the last one is found as well', async () => {
  const dueAt = (n: number): Date => new Date(Date.now() + 3_600_000 + n);
  const emails = await storeEmails(
    platform.keys.projectId,
    ...Array.from({ length: 150 }, (_, n) => ({ shard: 3, attempts: 1, dueAt: dueAt(n) })),
  );
  expect(await isFound(emails[149]?._id)).toBe(`deferred/${platform.keys.projectId}/3`);
});

import { detailsOf } from '../../../support/checks/summaries';
import { storeEmails } from '../../../support/data/email-rows';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { aTemporalClient } from '../../../support/platform/platform-parts';

const RETRY_MS = 30_000;
const platform = aPlatform({ env: { SMTP_RETRY_SECONDS: `${RETRY_MS / 1_000},3600` } });
const client = aTemporalClient(platform);

async function found(emailId: string | undefined): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: `EmailId = "${emailId}"` })) ids.push(workflowId);
  return ids;
}
const isFound = (emailId: string | undefined) => eventually('it is found', async () => (await found(emailId))[0], RETRY_MS);
/** The retry comes after 30 seconds, and is noticed after ten at most. */
const isFoundNoMore = (emailId: string) => eventually('it is found no more', async () => (await found(emailId)).length === 0, 2 * RETRY_MS);

test('a message that a 451 defers is found by its id, until it is delivered or cancelled', async () => {
  platform.smtp.script = { rcpt: { reply: '451 4.3.2 Later' } };
  const [delivered, cancelled] = [await platform.send('later@example.com'), await platform.send('never@example.com')];
  for (const id of [delivered, cancelled]) expect(await isFound(id)).toBe(`deferred/${platform.keys.projectId}/1`);
  const handle = client.workflow.getHandle(`deferred/${platform.keys.projectId}/1`);
  await eventually(
    'it says so',
    async () => /^2 messages wait for another attempt, the first at 20/.test(await detailsOf(handle)),
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

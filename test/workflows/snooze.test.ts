import { snoozeChangedSignal, snoozeWorkflowId } from '../../src/contracts/contacts';
import type { EndSnoozeInput } from '../../src/contracts/contacts';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const DAY = 86_400_000;

/** Until when each contact pauses, in days from the first look. */
const pauses = new Map<string, number | null>();
/** When each was looked at, in milliseconds of the workflow's time. */
const looks = new Map<string, number[]>();

/** What the activity finds in the contact: a pause that has ended is taken out of it. */
function endSnooze({ contactId, now }: EndSnoozeInput): Promise<string | null> {
  const at = looks.get(contactId) ?? [];
  looks.set(contactId, [...at, now]);
  const days = pauses.get(contactId) ?? null;
  const until = days === null ? null : (at[0] ?? now) + days * DAY;
  return Promise.resolve(until === null || until <= now ? null : new Date(until).toISOString());
}

const env = aTimeSkippingServer({ orchestration: { endSnooze } });

function start(contactId: string, days: number) {
  pauses.set(contactId, days);
  return env.client.workflow.start('snooze', {
    workflowId: snoozeWorkflowId(contactId),
    taskQueue: 'orchestration',
    args: [{ contactId, projectId: 'prj_1' }],
  });
}

/** When a contact was looked at, in days from the first look. */
const days = (contactId: string): number[] => {
  const [first = 0, ...more] = looks.get(contactId) ?? [];
  return more.map((at) => Math.round((at - first) / DAY));
};

test('a pause of six months ends at its time, and its workflow with it', async () => {
  await (await start('ctc_1', 181)).result();
  expect(days('ctc_1')).toEqual([181]);
});

test('a pause that is shortened ends at the earlier time, and one that is ended on the page at once', async () => {
  const shortened = await start('ctc_2', 181);
  await env.sleep(DAY);
  pauses.set('ctc_2', 14);
  await shortened.signal(snoozeChangedSignal);
  await shortened.result();
  expect(days('ctc_2')).toEqual([1, 14]);
  const ended = await start('ctc_3', 30);
  await env.sleep(DAY);
  pauses.set('ctc_3', null);
  await ended.signal(snoozeChangedSignal);
  await ended.result();
  expect(days('ctc_3')).toEqual([1]);
});

test('shows in Temporal until when it lasts', async () => {
  const handle = await start('ctc_4', 14);
  await env.sleep(60_000);
  const until = new Date((looks.get('ctc_4')?.[0] ?? 0) + 14 * DAY).toISOString().slice(0, 16);
  expect(JSON.stringify(await handle.query('__temporal_workflow_metadata'))).toContain(`paused until ${until}`);
  await handle.result();
});

import { ScheduleOverlapPolicy } from '@temporalio/client';
import pino from 'pino';
import { ensureSchedules } from '../../src/platform/temporal/schedules';
import { aNamespace } from '../support/run/temporal-namespace';

const namespace = `schedules_${process.pid}_${Date.now()}`;
const ALL = ['sweep', 'contact-fields', 'retention', 'segment-sweep', 'segment-counts'];
const ROUNDS = { rounds: 60, everyMs: 10_000 };
const lines: string[] = [];
const log = pino({}, { write: (line: string) => void lines.push(line) });
const client = aNamespace(namespace);

const described = (id: string) => client.schedule.getHandle(id).describe();
const updates = async () => Promise.all(ALL.map(async (id) => (await described(id)).info.lastUpdatedAt));

test('a schedule that is not as the code has it is brought up to date, and says so; the others are left alone', async () => {
  await client.schedule.create({
    scheduleId: 'sweep',
    spec: { intervals: [{ every: '1 minute' }], jitter: '5 seconds' },
    action: { type: 'startWorkflow', workflowType: 'sweep', workflowId: 'sweep', taskQueue: 'bulk', args: ['of old'] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    state: { paused: true, note: 'an operator is at work' },
  });
  await ensureSchedules(client, log);
  expect(await described('sweep')).toMatchObject({
    spec: { intervals: [{ every: 10_000 }] },
    action: { workflowType: 'sweep', workflowId: 'sweep', taskQueue: 'orchestration', args: [ROUNDS], priority: { priorityKey: 1 } },
    state: { paused: true, note: 'an operator is at work' },
  });
  const sweep = { type: 'startWorkflow', workflowType: 'sweep', workflowId: 'sweep' };
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      scheduleId: 'sweep',
      msg: 'A schedule was updated',
      changes: {
        spec: { from: { intervals: [{ every: 60_000 }], jitter: 5_000 }, to: { intervals: [{ every: 10_000 }] } },
        action: {
          from: { ...sweep, taskQueue: 'bulk', args: ['of old'] },
          to: { ...sweep, taskQueue: 'orchestration', args: [ROUNDS], priority: { priorityKey: 1 } },
        },
      },
    }),
  ]);

  lines.length = 0;
  const before = await updates();
  await ensureSchedules(client, log);
  expect(lines).toEqual([]);
  expect(await updates()).toEqual(before);
  expect(before[0]).toBeInstanceOf(Date);
  expect(before.slice(1)).toEqual([undefined, undefined, undefined]);
});

test('policies count too', async () => {
  const schedule = client.schedule.getHandle('segment-counts');
  await schedule.update(({ spec, action, state }) => ({ spec, action, state, policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL } }));
  await ensureSchedules(client, log);
  expect((await described('segment-counts')).policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 60_000 });
  expect(lines.map((line) => Object.keys((JSON.parse(line) as { changes: object }).changes))).toEqual([['policies']]);
});

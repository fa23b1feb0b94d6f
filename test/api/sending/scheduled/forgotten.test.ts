import { scheduledSendId } from '../../../../src/contracts/waiting-mail';
import { startForgottenMinutes } from '../../../../src/sending/scheduled';
import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';

const app = aProject();
const MINUTE = new Date('2026-11-27T09:00:00.000Z');
const INSTANT = new Date('2026-11-27T09:00:20.000Z');
const after = (seconds: number): Date => new Date(INSTANT.getTime() + seconds * 1_000);
const minuteId = (): string => scheduledSendId(app.keys.projectId, MINUTE);
const started = (): unknown[] => app.processes.start.mock.calls.map(([{ workflowId }]) => workflowId as unknown);

beforeAll(() => storeEmail(app.keys.projectId, { status: 'queued', priority: 2, attempts: 0, scheduledFor: INSTANT, dueAt: INSTANT }));
beforeEach(() => {
  app.processes.start.mockClear();
});

test('a minute is started again when its workflow was ended early, and left alone otherwise while it is not late', async () => {
  app.processes.endedEarly.mockResolvedValueOnce([minuteId(), scheduledSendId(app.keys.projectId, new Date(0)), 'automation/exe_1']);
  expect(await startForgottenMinutes(app.core, after(-3_600))).toBe(1);
  expect(started()).toEqual([minuteId()]);
  expect(await startForgottenMinutes(app.core, after(-3_600))).toBe(0);
});

test('a minute that is five seconds late is started, also when Temporal does not list what ended', async () => {
  app.processes.endedEarly.mockRejectedValueOnce(new Error('no list'));
  expect(await startForgottenMinutes(app.core, after(4))).toBe(0);
  app.processes.endedEarly.mockRejectedValueOnce(new Error('no list'));
  expect(await startForgottenMinutes(app.core, after(6))).toBe(1);
  expect(started()).toEqual([minuteId()]);
});

import { runOn } from '../../../../src/marketing/automations/advance';
import { disableProject, enableProject } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { HOUR_MS, chain, drive, hour, node, runOf, send, started, waits } from '../../../support/calls/automations';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const waitOf = async (executionId: string) => {
  const { waitingUntil, waitingFor } = await runOf(app, executionId);
  return [waitingUntil, waitingFor];
};
const pause = (id: string, status: string) => app.api().patch(`/v1/workflows/${id}`).send({ status }).expect(200);
const inAnHour = (at: unknown): number => Math.abs(Date.parse(String(at)) - Date.now() - HOUR_MS);

test('a delay says until when, also while its workflow is paused; what is over waits for nothing', async () => {
  const { id, executionId } = await started(app, chain(hour, node('e', 'exit')));
  const [until, what] = await waitOf(executionId);
  expect(inAnHour(until)).toBeLessThan(60_000);
  expect(what).toEqual({ kind: 'delay', nodeId: 'w', event: null });
  await pause(id, 'paused');
  expect(await waitOf(executionId)).toEqual([until, what]);
  await pause(id, 'active');
  await drive(app.core, app.keys.projectId, executionId, Date.now() + HOUR_MS + 1_000);
  expect(await waitOf(executionId)).toEqual([null, null]);
});

test('a time of day says when it comes', async () => {
  const { executionId } = await started(app, chain(node('w', 'delay', { time: '09:00', timezone: 'Europe/Berlin' }), node('e', 'exit')));
  const [until, what] = await waitOf(executionId);
  expect(what).toEqual({ kind: 'time', nodeId: 'w', event: null });
  const shown = new Date(String(until)).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
  expect(shown).toBe('09:00:00');
});

test('a wait for an event names it, and when its time is over', async () => {
  const { executionId } = await started(app, waits());
  const [until, what] = await waitOf(executionId);
  expect(inAnHour(until)).toBeLessThan(60_000);
  expect(what).toEqual({ kind: 'event', nodeId: 'w', event: 'order.placed' });
});

test('what is held says by what, and where it stands', async () => {
  const { id, executionId } = await started(app, chain(hour, send('mail'), node('e', 'exit')));
  const later = Date.now() + HOUR_MS + 1_000;
  await pause(id, 'paused');
  await drive(app.core, app.keys.projectId, executionId, later);
  expect(await waitOf(executionId)).toEqual([null, { kind: 'paused', nodeId: 'w', event: null }]);
  await pause(id, 'active');
  expect(await waitOf(executionId)).toEqual([null, null]);
  await disableProject(app.keys.projectId);
  try {
    await runOn(app.core, { executionId, projectId: app.keys.projectId, now: later }, null);
    expect(await waitOf(executionId)).toEqual([null, { kind: 'disabled', nodeId: 'w', event: null }]);
  } finally {
    await enableProject(app.keys.projectId);
  }
});

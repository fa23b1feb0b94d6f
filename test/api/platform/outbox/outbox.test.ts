import { sweepOutbox, want } from '../../../../src/platform/outbox';
import type { StartIntent } from '../../../../src/contracts/processes';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject();

const intent = (n: number): StartIntent => ({
  kind: 'start',
  workflow: 'contactImport',
  workflowId: `contact-import/${n}`,
  input: { importId: String(n), projectId: app.keys.projectId },
  summary: 'A file',
  attributes: { projectId: app.keys.projectId },
});

test('a wish that is never taken stays, and keeps none of the others back', async () => {
  const intents = Array.from({ length: 45 }, (_, n) => intent(n));
  for (const each of intents) await inTransaction((session) => want(session, [each]));
  app.processes.start.mockImplementation(({ workflowId }: StartIntent) =>
    workflowId === 'contact-import/0' ? Promise.reject(new Error('never')) : Promise.resolve(),
  );
  const later = new Date(Date.now() + 60_000);
  await expect(sweepOutbox(app.core, later)).rejects.toThrow('never');
  expect(await stored.outbox.distinct('_id')).toEqual(['contact-import/0']);
  app.processes.start.mockImplementation(() => Promise.resolve());
  expect(await sweepOutbox(app.core, later)).toBe(1);
  expect(await stored.outbox.count()).toBe(0);
});

test('a workflow that may run again is wanted again while Temporal has not taken it yet, as it is wanted last', async () => {
  const again = (importId: string): StartIntent =>
    ({ ...intent(100), again: true, input: { importId, projectId: app.keys.projectId } }) as StartIntent;
  await inTransaction((session) => want(session, [again('first')]));
  await inTransaction((session) => want(session, [again('second')]));
  app.processes.start.mockClear();
  expect(await sweepOutbox(app.core, new Date(Date.now() + 60_000))).toBe(1);
  expect(app.processes.start.mock.calls).toEqual([
    [expect.objectContaining({ input: { importId: 'second', projectId: app.keys.projectId } })],
  ]);
  expect(await stored.outbox.count()).toBe(0);
});

import { ApplicationFailure } from '@temporalio/activity';
import type { ContactImportProgress } from '../../src/contracts/contacts';
import { contactImportProgressQuery } from '../../src/contracts/contacts';
import { aTimeSkippingServer, withActivities } from '../support/platform/time-skipping';

const env = aTimeSkippingServer({ orchestration: {} });

const INPUT = { importId: 'imp_1', projectId: 'prj_1' };

const at = (processed: number, status: ContactImportProgress['status'] = 'processing'): ContactImportProgress => ({
  status,
  totalRows: 10_000,
  processed,
  created: processed,
  updated: 0,
  skipped: 0,
  failed: 0,
});

type Activity = () => Promise<ContactImportProgress | null>;

/** Runs the workflow on activities of the test's own. */
async function run(name: string, activities: Readonly<Record<string, Activity>>) {
  return withActivities(env, { bulk: activities }, async () => {
    const first = await env.client.workflow.start('contactImport', {
      workflowId: `contact-import/${name}`,
      taskQueue: 'orchestration',
      args: [INPUT],
    });
    await first.result();
    const last = env.client.workflow.getHandle(`contact-import/${name}`);
    return { progress: await last.query(contactImportProgressQuery), runs: [first.firstExecutionRunId, (await last.describe()).runId] };
  });
}

const never: Activity = () => Promise.reject(ApplicationFailure.nonRetryable('Not to be called'));

test('an activity that fails for good ends the import as failed', async () => {
  const failContactImport = jest.fn(() => Promise.resolve(at(2_000, 'failed')));
  const planContactImport = () => Promise.resolve(at(0));
  const { progress } = await run('defect', { planContactImport, importContactRows: never, failContactImport });
  expect(failContactImport).toHaveBeenCalledWith(INPUT);
  expect(progress).toEqual(at(2_000, 'failed'));
});

test('a database that is away for an hour is waited for', async () => {
  const back = (await env.currentTimeMs()) + 3_600_000;
  let tries = 0;
  const importContactRows: Activity = async () => {
    tries++;
    if ((await env.currentTimeMs()) < back) throw new Error('The database cannot be reached');
    return at(10_000, 'completed');
  };
  const { progress } = await run('patient', {
    planContactImport: () => Promise.resolve(at(0)),
    importContactRows,
    failContactImport: never,
  });
  expect(progress).toEqual(at(10_000, 'completed'));
  expect(tries).toBeGreaterThan(15);
});

test('an import of many slices keeps its history short', async () => {
  let slices = 0;
  const importContactRows: Activity = () => Promise.resolve(++slices < 400 ? at(slices * 20) : at(10_000, 'completed'));
  const planContactImport = () => Promise.resolve(at(slices * 20));
  const { progress, runs } = await run('long', { planContactImport, importContactRows, failContactImport: never });
  expect(progress).toEqual(at(10_000, 'completed'));
  expect(slices).toBe(400);
  expect(runs[1]).not.toBe(runs[0]);
});

test('an import that is not there, or has ended, ends at once', async () => {
  const { progress } = await run('gone', {
    planContactImport: () => Promise.resolve(null),
    importContactRows: never,
    failContactImport: never,
  });
  expect(progress).toMatchObject({ status: 'queued', processed: 0 });
});

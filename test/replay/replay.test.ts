import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { testWorkflowCode } from '../support/run/servers';

const HISTORIES = path.join(__dirname, 'histories');
const names = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(HISTORIES, name), 'utf8'));

const workflowBundle = testWorkflowCode();

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
});

test('there is a history of each kind of workflow', () => {
  expect(new Set(names.map((name) => name.split('.')[0]))).toEqual(
    new Set([
      'automation-nudge',
      'automation-run',
      'campaign-ab',
      'campaign-removal',
      'campaign-send',
      'checkout',
      'contact-fields',
      'contact-import',
      'deferred-mail',
      'delivery-pump',
      'domain-verification',
      'erasure',
      'fan-out-pump',
      'project-removal',
      'retention',
      'scheduled-send',
      'segment-counts',
      'segment-sweep',
      'subscription',
      'sweep',
      'webhook-pump',
      'webhook-removal',
      'webhook-retry',
    ]),
  );
});

test.each(names)('a history of %s still replays: what runs now goes on after a release', async (name) => {
  await expect(Worker.runReplayHistory({ workflowBundle }, read(name))).resolves.toBeUndefined();
});

test('a change of what a workflow does is noticed', async () => {
  const altered = JSON.stringify(read('scheduled-send.released.json')).replaceAll('"releaseScheduled"', '"somethingElse"');
  await expect(Worker.runReplayHistory({ workflowBundle }, JSON.parse(altered))).rejects.toThrow(/[Nn]ondeterminis|TMPRL1100/);
});

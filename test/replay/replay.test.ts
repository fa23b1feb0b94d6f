import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import * as workflows from '../../workflows';
import { replaysRecordNoStacks } from '../support/run/replay-hooks';
import { testWorkflowCode } from '../support/run/servers';

const HISTORIES = path.join(__dirname, 'histories');
const names = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));

interface Recorded {
  readonly events: readonly { readonly workflowExecutionStartedEventAttributes?: { readonly workflowType: { readonly name: string } } }[];
}
const read = (name: string): Recorded => JSON.parse(readFileSync(path.join(HISTORIES, name), 'utf8')) as Recorded;
const typeIn = ({ events }: Recorded): string | undefined => events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name;

const workflowBundle = testWorkflowCode();
replaysRecordNoStacks();

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
});

test('there is a history of each workflow', () => {
  expect(new Set(names.map((name) => typeIn(read(name))))).toEqual(new Set(Object.keys(workflows)));
});

test.each(names)('a history of %s still replays: what runs now continues after a release', async (name) => {
  await expect(Worker.runReplayHistory({ workflowBundle }, read(name))).resolves.toBeUndefined();
});

test('a change of what a workflow does is noticed', async () => {
  const altered = JSON.stringify(read('scheduled-send.released.json')).replaceAll('"releaseScheduled"', '"somethingElse"');
  await expect(Worker.runReplayHistory({ workflowBundle }, JSON.parse(altered))).rejects.toThrow(/[Nn]ondeterminis|TMPRL1100/);
});

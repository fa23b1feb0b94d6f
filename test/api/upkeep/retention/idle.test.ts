import mongoose from 'mongoose';
import { createProject, setLimit } from '../../../../src/records/projects/service';
import { aCommandCount } from '../../../support/checks/command-count';
import { storeEmail } from '../../../support/data/email-rows';
import { aProject } from '../../../support/platform/app';
import { SHORT, ago, retentionCalls } from '../../../support/calls/retention';
import { stored } from '../../../support/data/stored';

const IDLE = 1_000;
const HOURS = 1 / 24;

const commands = aCommandCount();
const app = aProject({ config: SHORT });
const { project, pass, rowOf } = retentionCalls(() => app);

const OLD = { status: 'sent', attempts: 1, createdAt: ago(101) } as const;

test('projects in which nothing is old cost less than one query each, until hours have passed', async () => {
  const like = await stored.projects.get(project());
  const idle = Array.from({ length: IDLE }, (_, n) => ({ ...like, _id: `proj_idle_${n}`, keys: [{ hash: `idle_${n}` }] }));
  await mongoose.connection.collection('projects').insertMany(idle as never);
  const first = await commands.during(() => pass());
  const second = await commands.during(() => pass());
  await mongoose.connection.collection('projects').deleteMany({ _id: { $in: idle.map(({ _id }) => _id) } as never });
  expect(first).toBeGreaterThan(10 * IDLE);
  expect(second).toBeLessThan(IDLE / 50);
});

test('what has become old in a project that rests goes within six hours', async () => {
  await pass();
  const { _id } = await storeEmail(project(), OLD);
  await pass(5 * HOURS);
  expect(await rowOf(_id)).not.toBeNull();
  await pass(7 * HOURS);
  expect(await rowOf(_id)).toBeNull();
});

test('a project of which something was removed does not rest', async () => {
  const { projectId } = await createProject('Busy');
  await storeEmail(projectId, OLD);
  await pass();
  const { _id } = await storeEmail(projectId, OLD);
  await pass();
  expect(await rowOf(_id)).toBeNull();
});

test('a shorter time holds at once', async () => {
  const { projectId } = await createProject('Short');
  const { _id } = await storeEmail(projectId, { ...OLD, createdAt: ago(50) });
  await pass();
  await pass();
  expect(await rowOf(_id)).not.toBeNull();
  await setLimit(projectId, 'retentionDays', 40);
  await pass();
  expect(await rowOf(_id)).toBeNull();
});

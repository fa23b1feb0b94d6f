import mongoose from 'mongoose';
import { createProject, setLimit } from '../../../../src/records/projects/service';
import { commandsDuring } from '../../../support/checks/command-count';
import { storeEmail } from '../../../support/data/email-rows';
import { aProject } from '../../../support/platform/app';
import { RetentionMarkModel } from '../../../../src/upkeep/retention/model';
import { SHORT, ago, retentionCalls } from '../../../support/calls/retention';
import { stored } from '../../../support/data/stored';

const IDLE = 200;
const HOURS = 1 / 24;
/** The time between two runs. */
const RUN = HOURS / 6;

const app = aProject({ config: SHORT });
const { project, pass, rowOf } = retentionCalls(() => app);

const projects = () => mongoose.connection.collection<{ _id: string }>('projects');

const OLD = { status: 'sent', attempts: 1, createdAt: ago(101) } as const;

test('projects in which nothing is old cost less than one query each, until hours have passed', async () => {
  const like = await stored.projects.get(project());
  const idle = Array.from({ length: IDLE }, (_, n) => ({ ...like, _id: `proj_idle_${n}`, keys: [{ hash: `idle_${n}` }] }));
  await projects().insertMany(idle);
  const first = await commandsDuring(() => pass());
  const second = await commandsDuring(() => pass());
  await projects().deleteMany({ _id: { $in: idle.map(({ _id }) => _id) } as never });
  expect(first).toBeGreaterThan(10 * IDLE);
  expect(second).toBeLessThan(IDLE / 10);
});

test('what has become old in a project that rests goes with the first run after six hours', async () => {
  await pass();
  const { _id } = await storeEmail(project(), OLD);
  await pass(5 * HOURS);
  expect(await rowOf(_id)).not.toBeNull();
  await pass(6 * HOURS + RUN);
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

test.each([
  ['begins to be removed', (_id: string) => projects().updateOne({ _id }, { $set: { removedAt: new Date() } })],
  ['is gone', (_id: string) => projects().deleteOne({ _id })],
])('a project that %s while it is looked through leaves no mark', async (_what, happens) => {
  const { projectId } = await createProject('Removed');
  const find = RetentionMarkModel.find.bind(RetentionMarkModel);
  // By then the run has read the projects.
  const whileRead = async () => {
    await happens(projectId);
    return find().lean();
  };
  jest.spyOn(RetentionMarkModel, 'find').mockReturnValueOnce({ lean: whileRead } as never);
  await pass();
  expect(await RetentionMarkModel.exists({ _id: projectId })).toBeNull();
});

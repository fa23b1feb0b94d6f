import mongoose from 'mongoose';
import { createActivities } from '../../../../activities';
import { UsageError } from '../../../../src/processes/admin/arguments';
import { parseRequest } from '../../../../src/processes/admin/request';
import type { ProjectRemovalProgress } from '../../../../src/contracts/removals';
import { projectRemovalId } from '../../../../src/contracts/removals';
import { sweepOutbox } from '../../../../src/platform/outbox';
import { NOT_OF_PROJECT, REMOVED } from '../../../../src/upkeep/project-removal/registry';
import { beginRemoval, isRemovalOver, readRemoval } from '../../../../src/upkeep/project-removal/service';
import { continueRemoval } from '../../../../src/upkeep/project-removal/continue';
import { createKey } from '../../../../src/records/projects/key-service';
import { enableProject } from '../../../../src/records/projects/service';
import type { ProjectKeys } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { populate } from '../../../support/calls/isolation-cases';
import { rowsEverywhere, seedEverywhere } from '../../../support/data/everywhere';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

afterEach(() => jest.restoreAllMocks());

/** When nothing of before the request comes any more. */
const QUIET_MS = 16 * 60_000;

/** What a worker does, so long after the request. */
const turn = (projectId: string, afterMs = 0): Promise<ProjectRemovalProgress> =>
  continueRemoval(app.core, { projectId }, new Date(Date.now() + afterMs), new AbortController().signal);

async function untilCompleted(projectId: string): Promise<void> {
  for (let turns = 0; turns < 10; turns++) if ((await turn(projectId, QUIET_MS)).status === 'completed') return;
  throw new Error('It does not come to an end');
}

/** Of what says that it was removed, and of who asked for it, something is left. */
const leftOf = async (marks: readonly string[]): Promise<string[]> =>
  (await rowsEverywhere(marks)).filter((row) => !/^(project_removals|audit|outbox|processes_under_way) /.test(row));

const refused = (keys: ProjectKeys) =>
  Promise.all([keys.secret, keys.test].map(async (key) => (await app.api(key).get('/v1/contacts')).status));

test('every collection is emptied of a removed project, or it is said why not', async () => {
  createActivities({ core: app.core, delivery: null, fanOut: null, webhooks: null });
  const collections = Object.values(mongoose.models).map(({ collection }) => collection.collectionName);
  expect([...REMOVED, ...Object.keys(NOT_OF_PROJECT)].sort()).toEqual(collections.sort());
});

test('a project goes with everything, wherever it is; its neighbour keeps everything and works on', async () => {
  const owned = await populate(app.api());
  const [doomed, neighbour] = [app.keys, app.otherKeys];
  const marks = [doomed.projectId, ...Object.values<string>({ ...owned, eventName: '', field: '' }).filter(Boolean)];
  const seeded = await seedEverywhere(doomed.projectId);
  const others = await seedEverywhere(neighbour.projectId);
  expect(await rowsEverywhere(seeded)).toHaveLength(seeded.length);
  const before = await rowsEverywhere([neighbour.projectId, ...others]);

  await beginRemoval(doomed.projectId);
  expect(await refused(doomed)).toEqual([401, 401]);
  await sweepOutbox(app.core, new Date(Date.now() + 10_000));
  expect(app.processes.start).toHaveBeenCalledWith(expect.objectContaining({ workflowId: projectRemovalId(doomed.projectId) }));
  expect(await turn(doomed.projectId)).toMatchObject({ status: 'waiting' });
  expect(app.processes.endAllOf).toHaveBeenCalledWith(doomed.projectId);
  expect(await isRemovalOver(doomed)).toBe(false);

  // What was under way comes late.
  await mongoose.connection.collection('events').insertOne({ _id: 'late' as never, projectId: doomed.projectId });
  await untilCompleted(doomed.projectId);
  expect(await leftOf([...marks, ...seeded])).toEqual([]);
  expect(await refused(doomed)).toEqual([401, 401]);
  expect(await isRemovalOver(doomed)).toBe(true);
  expect(await rowsEverywhere([neighbour.projectId, ...others])).toEqual(before);
  await app.api(neighbour.secret).post('/v1/contacts').send({ email: 'neighbour@example.com' }).expect(201);
  await beginRemoval(neighbour.projectId);
  await untilCompleted(neighbour.projectId);
});

test('a removal killed before and after every write comes to the same end', async () => {
  const { projectId } = await newProject('Doomed');
  const seeded = await seedEverywhere(projectId);
  await beginRemoval(projectId);
  app.processes.endAllOf.mockRejectedValueOnce(new Error('Temporal is away'));
  await expect(turn(projectId, QUIET_MS)).rejects.toThrow('away');
  let left = 0;
  const driver = mongoose.mongo.Collection.prototype;
  for (const name of ['deleteMany', 'deleteOne', 'updateOne'] as const) {
    const write = driver[name] as unknown as (...given: unknown[]) => unknown;
    const killed = function (this: unknown, ...given: unknown[]): unknown {
      if (left-- <= 0) throw new Error('killed');
      return write.apply(this, given);
    };
    jest.spyOn(driver, name as 'deleteMany').mockImplementation(killed as never);
  }
  let kills = 0;
  for (let ended = false; !ended; kills++) {
    left = 2 + (kills % 2);
    ended = await turn(projectId, QUIET_MS).then(
      ({ status }) => status === 'completed',
      () => false,
    );
  }
  jest.restoreAllMocks();
  expect(kills).toBeGreaterThan(REMOVED.length);
  expect(await leftOf([projectId, ...seeded])).toEqual([]);
  expect(await readRemoval(projectId)).toMatchObject({ status: 'completed' });
});

test('more campaigns than fit in a page, with more recipients, go as well', async () => {
  const { projectId } = await newProject('Large');
  const campaigns = Array.from({ length: 51 }, (_, index) => ({ _id: `cmp_large${index}`, projectId }));
  const recipients = campaigns.flatMap(({ _id }) =>
    Array.from({ length: 21 }, (_, index) => ({ _id: `${_id}/${index}` as never, projectId })),
  );
  await mongoose.connection.collection('campaigns').insertMany(campaigns as never[]);
  await mongoose.connection.collection('campaign_recipients').insertMany(recipients);
  await beginRemoval(projectId);
  await untilCompleted(projectId);
  expect(await leftOf([projectId, 'cmp_large'])).toEqual([]);
  expect((await readRemoval(projectId)).removed).toMatchObject({ campaigns: expect.any(Number) });
});

test('a campaign that is sending stops at once, and what is written late of it goes with it', async () => {
  const { projectId } = await newProject('Sending');
  const campaigns = mongoose.connection.collection('campaigns');
  await campaigns.insertOne({ _id: 'cmp_late' as never, projectId, status: 'sending' });
  await beginRemoval(projectId);
  expect(await turn(projectId)).toMatchObject({ status: 'waiting' });
  expect(await campaigns.findOne({ _id: 'cmp_late' as never })).toMatchObject({ status: 'cancelled' });
  // What a worker had begun to write down.
  const late = { _id: 'cmp_late/1' as never, projectId, email: 'late@example.com' };
  await mongoose.connection.collection('campaign_recipients').insertOne(late);
  await untilCompleted(projectId);
  expect(await leftOf([projectId, 'cmp_late'])).toEqual([]);
});

test('mail may be on the wire for ten minutes: until then it is not over', async () => {
  const { projectId } = await newProject('On the wire');
  await beginRemoval(projectId);
  for (const minutes of [0, 5, 10]) expect(await turn(projectId, minutes * 60_000)).toMatchObject({ status: 'waiting' });
});

test('one that is not there, or whose subscription runs, is refused; one that is being removed goes on as it was', async () => {
  await expect(beginRemoval('prj_nobody')).rejects.toMatchObject({ code: 'not_found' });
  const { projectId } = await newProject('Paid');
  await stored.subscriptions.collection.insertOne({ _id: 'sub_1', projectId, dueAt: new Date() });
  await expect(beginRemoval(projectId)).rejects.toMatchObject({ code: 'invalid_state' });
  await stored.subscriptions.collection.updateOne({ _id: 'sub_1' }, { $set: { dueAt: null } });
  const first = await beginRemoval(projectId);
  await expect(enableProject(projectId)).rejects.toMatchObject({ code: 'invalid_state' });
  await expect(createKey(projectId, 'secret', 50)).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await beginRemoval(projectId)).toEqual(first);
  await untilCompleted(projectId);
  expect(await beginRemoval(projectId)).toMatchObject({ status: 'completed' });
});

test('the command asks to be sure, shows how far it is, and shows the same when it is asked again', async () => {
  const { projectId } = await newProject('By command');
  const lines: string[] = [];
  const platform = {
    release: '0.1.0',
    config: app.core.config,
    publicUrl: 'http://localhost:3000',
    secrets: () => app.core.secrets,
    say: (line: string) => void lines.push(line),
  };
  await expect(parseRequest(['projects', 'delete', projectId]).run(platform)).rejects.toThrow(UsageError);
  const running = parseRequest(['projects', 'delete', projectId, '--yes']).run(platform);
  while (!(await readRemoval(projectId).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 20));
  await turn(projectId);
  await untilCompleted(projectId);
  expect(await running).toMatchObject({ result: { projectId, status: 'completed' }, fault: null });
  expect(lines).toContainEqual(expect.stringMatching(/rows removed$/));
  expect(await parseRequest(['projects', 'delete', projectId, '--yes']).run(platform)).toMatchObject({ result: { status: 'completed' } });
  await expect(parseRequest(['projects', 'delete', 'prj_nobody', '--yes']).run(platform)).rejects.toMatchObject({ code: 'not_found' });
});

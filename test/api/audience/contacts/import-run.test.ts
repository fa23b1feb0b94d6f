import { failImport, importSlice, planImport, slowestImportSince } from '../../../../src/audience/lists/import-run';
import { newId } from '../../../../src/platform/core/ids';
import { foldCounts } from '../../../../src/audience/segments/counts';
import { aProject } from '../../../support/platform/app';
import { IMPORT_HOST, carryOut, importCsv, upload } from '../../../support/calls/imports';
import type { Job } from '../../../support/calls/imports';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject();

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.events.remove()]);
});

const api = (key?: string) => app.api(key);
const jobOf = async (importId: string): Promise<Job> => (await api().get(`/v1/contacts/import/${importId}`).expect(200)).body.data as Job;
const file = (from: number, count: number, value: string): string =>
  `email,source\n${Array.from({ length: count }, (_, n) => `user-${from + n}@example.com,${value}`).join('\n')}\n`;
const inputOf = ({ importId }: Job) => ({ importId, projectId: app.keys.projectId });

/** A worker that is stopped: each slice ends after one batch. */
const STOPPING = { ...IMPORT_HOST, signal: AbortSignal.abort() };

async function segment(change: object = {}): Promise<string> {
  const _id = newId('seg');
  const now = new Date();
  const { projectId } = app.keys;
  await stored.segments.make({ _id, projectId, name: 'People', type: 'static', createdAt: now, updatedAt: now, ...change });
  return _id;
}

describe('an import in slices', () => {
  test('goes on where it was, and shows how far it is', async () => {
    const job = await upload(app, `${file(0, 2_500, 'a')}user-0@example.com,b\n`);
    expect(await planImport(inputOf(job), IMPORT_HOST)).toMatchObject({ status: 'processing', totalRows: 2_501, processed: 0 });
    expect(await importSlice(inputOf(job), STOPPING)).toMatchObject({ status: 'processing', processed: 1_000, created: 999, skipped: 1 });
    expect(await jobOf(job.importId)).toMatchObject({ status: 'processing', totalRows: 2_501, processed: 1_000, finishedAt: null });
    expect(await planImport(inputOf(job), IMPORT_HOST)).toMatchObject({ processed: 1_000 });
    expect(await importSlice(inputOf(job), STOPPING)).toMatchObject({ processed: 2_000 });
    expect(await importSlice(inputOf(job), IMPORT_HOST)).toMatchObject({ status: 'completed', processed: 2_501, created: 2_500 });
    expect(await importSlice(inputOf(job), IMPORT_HOST)).toMatchObject({ status: 'completed', processed: 2_501 });
    expect(await stored.contacts.count()).toBe(2_500);
    expect(await stored.contacts.one({ email: 'user-0@example.com' })).toMatchObject({ data: { source: 'b' } });
  });

  test('of several attempts at once the one that began last goes on, and each row is applied and counted once', async () => {
    const job = await upload(app, file(0, 6_000, 'a'));
    await Promise.all(Array.from({ length: 4 }, () => planImport(inputOf(job), IMPORT_HOST)));
    await Promise.all(Array.from({ length: 4 }, () => importSlice(inputOf(job), IMPORT_HOST)));
    await carryOut(job.importId, app.keys.projectId);
    expect(await jobOf(job.importId)).toMatchObject({
      status: 'completed',
      created: 6_000,
      updated: 0,
      processed: 6_000,
      totalRows: 6_000,
    });
    expect(await stored.contacts.count()).toBe(6_000);
    expect(await stored.events.count({ name: 'contact.created' })).toBe(6_000);
    expect(await stored.events.count()).toBe(6_000);
  });

  test('a worker that was taken for dead changes nothing once another one goes on', async () => {
    const job = await upload(app, file(0, 3_000, 'a'));
    await planImport(inputOf(job), IMPORT_HOST);
    let successor: Promise<unknown> | undefined;
    const late = await importSlice(inputOf(job), {
      ...IMPORT_HOST,
      beat: () => {
        successor ??= stored.imports.change(job.importId, { runner: 'the successor' });
      },
    });
    await successor;
    expect(late).toMatchObject({ status: 'processing' });
    const counted = (await jobOf(job.importId)).processed;
    expect(await stored.contacts.count()).toBe(counted);
    expect(counted).toBeLessThan(3_000);
    expect(await importSlice(inputOf(job), IMPORT_HOST)).toMatchObject({ status: 'completed', created: 3_000 });
  });

  test('two at once over the same contacts, and a caller in between, disturb each other in nothing', async () => {
    const jobs = await Promise.all([upload(app, file(0, 2_000, 'a')), upload(app, file(1_000, 2_000, '1'))]);
    const upserts = Array.from({ length: 40 }, (_, n) =>
      api()
        .post('/v1/contacts')
        .send({ email: `user-${980 + n}@example.com`, data: { api: n } }),
    );
    const [answers] = await Promise.all([Promise.all(upserts), ...jobs.map(({ importId }) => carryOut(importId, app.keys.projectId))]);
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    const ended = await Promise.all(jobs.map(({ importId }) => jobOf(importId)));
    for (const job of ended) expect(job).toMatchObject({ status: 'completed', processed: 2_000, failed: 0, skipped: 0 });
    expect(await stored.contacts.count()).toBe(3_000);
    const created = ended[0]!.created + ended[1]!.created + answers.filter(({ status }) => status === 201).length;
    expect(created).toBe(3_000);
    expect(await stored.events.count({ name: 'contact.created' })).toBe(3_000);
    expect(await stored.contacts.count({ 'data.api': { $exists: true } })).toBe(40);
    expect(await stored.contacts.count({ 'data.source': { $exists: true } })).toBe(3_000);
    const numbers = await stored.contacts.count({ 'data.source': 1 });
    const { body } = await api().get('/v1/contacts/fields').expect(200);
    const source = (body.data.data as { field: string; type: string; count: number }[]).find(({ field }) => field === 'source');
    expect(source?.type).toBe(numbers === 3_000 ? 'number' : 'mixed');
  });
});

test('the import without progress for the longest time is known while it runs', async () => {
  const [slow, quick] = [await upload(app, file(0, 2_500, 'a')), await upload(app, file(0, 1, 'b'))];
  for (const job of [slow, quick]) await planImport(inputOf(job), IMPORT_HOST);
  await stored.imports.change(slow.importId, { movedAt: new Date(1_000) });
  expect(await slowestImportSince(5_000)).toEqual(new Date(1_000));
  await importSlice(inputOf(slow), STOPPING);
  expect(await slowestImportSince(5_000)).toEqual((await stored.imports.get(quick.importId)).movedAt);
  const [plan] = await queryPlans('contact_imports', () => slowestImportSince(5_000));
  expect(plan).toMatchObject({ plan: expect.stringMatching(/^IXSCAN /), sorted: false });
  for (const job of [slow, quick]) await carryOut(job.importId, app.keys.projectId);
  expect(await slowestImportSince(5_000)).toBeNull();
});

describe('an import that cannot go on', () => {
  test('because its file is gone has failed, and keeps what was done', async () => {
    const job = await upload(app, file(0, 1_500, 'x'.repeat(400)));
    await planImport(inputOf(job), IMPORT_HOST);
    await importSlice(inputOf(job), STOPPING);
    await stored.importPieces.remove({ _id: new RegExp(`^${job.importId}:00000[1-9]`) });
    await importSlice(inputOf(job), IMPORT_HOST);
    const failed = await jobOf(job.importId);
    expect(failed).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no longer exists'),
      finishedAt: expect.any(String),
    });
    expect(failed.processed).toBe(await stored.contacts.count());
    expect(await stored.importPieces.count({ _id: new RegExp(`^${job.importId}:`) })).toBe(0);
    expect(await importSlice(inputOf(job), IMPORT_HOST)).toMatchObject({ status: 'failed' });
  });

  test('before it was read through has failed as well', async () => {
    const job = await upload(app, file(0, 10, 'a'));
    await stored.importPieces.remove({ _id: new RegExp(`^${job.importId}:`) });
    expect(await planImport(inputOf(job), IMPORT_HOST)).toMatchObject({ status: 'failed' });
  });

  test('for a defect says no more than that; one that has ended stays as it is', async () => {
    const job = await upload(app, file(0, 10, 'a'));
    expect(await failImport(inputOf(job))).toMatchObject({ status: 'failed' });
    expect(await jobOf(job.importId)).toMatchObject({ error: expect.stringContaining('our side') });
    const done = await importCsv(app, file(0, 10, 'a'));
    expect(await failImport(inputOf(done))).toMatchObject({ status: 'completed', processed: 10 });
  });

  test('another project cannot carry it on', async () => {
    const { importId } = await upload(app, file(0, 10, 'a'));
    const input = { importId, projectId: app.otherKeys.projectId };
    expect(await Promise.all([planImport(input, IMPORT_HOST), importSlice(input, IMPORT_HOST), failImport(input)])).toEqual([
      null,
      null,
      null,
    ]);
    expect(await jobOf(importId)).toMatchObject({ status: 'queued' });
  });
});

describe('into a segment', () => {
  test('new and known contacts enter once, with one event each', async () => {
    const segmentId = await segment();
    await api().post('/v1/contacts').send({ email: 'user-1@example.com' }).expect(201);
    await importCsv(app, `${file(0, 3, 'a')}bad,\n`, `?segmentId=${segmentId}`);
    const members = await stored.members.all({ segmentId });
    const contacts = await stored.contacts.all({}, { _id: 1 });
    const ages = members.map(({ contactId, contactCreatedAt }) => [contactId, contactCreatedAt]);
    expect(ages.sort()).toEqual(contacts.map(({ _id, createdAt }) => [_id, createdAt]));
    await foldCounts();
    expect(await stored.segments.one(segmentId)).toMatchObject({ memberCount: 3 });
    const entered = await stored.events.all({ name: 'segment.entered' });
    expect(entered.map(({ data, enrols }) => ({ data, enrols }))).toEqual(
      Array(3).fill({ data: { segmentId, name: 'People' }, enrols: false }),
    );

    await importCsv(app, file(0, 4, 'a'), `?segmentId=${segmentId}&trigger=true`);
    await foldCounts();
    expect(await stored.segments.one(segmentId)).toMatchObject({ memberCount: 4 });
    expect(await stored.events.count({ name: 'segment.entered' })).toBe(4);
    expect(await stored.events.count({ name: 'segment.entered', enrols: false })).toBe(3);
  });

  test('that is removed meanwhile: the contacts are taken in all the same', async () => {
    const segmentId = await segment();
    const { importId } = await upload(app, file(0, 3, 'a'), `?segmentId=${segmentId}`);
    await stored.segments.remove(segmentId);
    await carryOut(importId, app.keys.projectId);
    expect(await jobOf(importId)).toMatchObject({ status: 'completed', created: 3 });
    expect(await stored.members.count({ segmentId })).toBe(0);
  });

  test('that is not there, not ours or not static is refused', async () => {
    const dynamic = await segment({ type: 'dynamic' });
    const foreign = await segment({ projectId: app.otherKeys.projectId });
    for (const [segmentId, code] of [
      ['seg_unknown', 'not_found'],
      [foreign, 'not_found'],
      [dynamic, 'invalid_combination'],
    ]) {
      const send = api().post(`/v1/contacts/import?segmentId=${segmentId}`).set('Content-Type', 'text/csv');
      const { body } = await send.send(file(0, 100_000, 'a')).expect(422);
      expect(body.details).toEqual([{ path: 'segmentId', code, message: expect.any(String) }]);
    }
  });
});

test('every read has an index; jobs and files go by their age', async () => {
  const job = await upload(app, file(0, 1_200, 'a'));
  const [jobs, pieces] = [[] as string[], [] as string[]];
  const into = async (plans: string[], collection: string, work: () => Promise<unknown>): Promise<void> => {
    for (const { plan } of await queryPlans(collection, work)) plans.push(plan);
  };
  await into(jobs, 'contact_imports', () => planImport(inputOf(job), IMPORT_HOST));
  await into(pieces, 'contact_import_pieces', () => importSlice(inputOf(job), IMPORT_HOST));
  await into(jobs, 'contact_imports', () => jobOf(job.importId));
  expect(jobs.length).toBeGreaterThan(2);
  expect(pieces.length).toBeGreaterThan(1);
  for (const plan of [...jobs, ...pieces]) expect(plan).toMatch(/IDHACK|IXSCAN|EXPRESS/);
  const ages = await Promise.all([stored.imports, stored.importPieces].map(({ collection }) => collection.indexes()));
  expect(ages.map((indexes) => indexes.find(({ expireAfterSeconds }) => expireAfterSeconds)?.['expireAfterSeconds'])).toEqual([
    30 * 86_400,
    7 * 86_400,
  ]);
});

import { changeTogether } from '../../../../src/audience/contacts/change-together';
import { sumUpFields } from '../../../../src/audience/contacts/fields';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { getProject } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { IMPORT_HOST, carryOut, upload } from '../../../support/calls/imports';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const MOST = 5;

const app = aProject({ config: { MAX_FIELDS: String(MOST) } });
const keys = aFreshProject('Room');

const api = () => app.api(keys.secret);
const put = (name: string, data: object) =>
  api()
    .post('/v1/contacts')
    .send({ email: `${name}@example.com`, data });
const fields = async (): Promise<readonly string[]> =>
  ((await api().get('/v1/contacts/fields').expect(200)).body.data.data as { field: string }[]).map(({ field }) => field);

test('one field more than there may be is 409, and changes nothing', async () => {
  await put('ada', { a: 1, b: 1, c: 1 }).expect(201);
  await put('bob', { a: 1, d: 1, e: 1 }).expect(201);
  for (const summedUp of [false, true]) {
    if (summedUp) await sumUpFields();
    expect((await put('eve', { a: 1, f: 1 }).expect(409)).body).toMatchObject({ success: false, code: 'limit_exceeded' });
    await put('ada', { a: 2, f: 1 }).expect(409);
  }
  await put('fay', { a: 1, b: 2, e: 3 }).expect(201);
  await put('ada', { d: 1, e: 1, a: 'other' }).expect(200);
  await api().get('/v1/contacts/eve%40example.com').expect(404);
  expect(await fields()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a field that is gone makes room at once, by its removal or with its last contact', async () => {
  await put('ada', { a: 1, b: 1, c: 1, d: 1, e: 1 }).expect(201);
  await put('bob', { f: 1 }).expect(409);
  await api().delete('/v1/contacts/fields/a').expect(200);
  await put('bob', { f: 1 }).expect(201);
  await put('bob', { g: 1 }).expect(409);
  await put('bob', { f: null }).expect(200);
  await put('bob', { g: 1 }).expect(200);
  await sumUpFields();
  expect(await fields()).toEqual(['b', 'c', 'd', 'e', 'g']);
});

test('a field whose room another one took has to find room again', async () => {
  await put('ada', { a: 1, b: 1, c: 1, d: 1, e: 1 }).expect(201);
  await put('ada', { e: null }).expect(200);
  await put('bob', { f: 1 }).expect(201);
  await put('ada', { e: 1 }).expect(409);
  await put('eve', { e: 1, f: 2 }).expect(409);
  await put('bob', { f: null }).expect(200);
  await put('ada', { e: 1 }).expect(200);
  await put('bob', { f: 1 }).expect(409);
  await sumUpFields();
  expect(await fields()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('requests at once that need the last room for a field: one new field is taken from all, other fields from one', async () => {
  await put('ada', { a: 1, b: 1, c: 1 }).expect(201);
  const same = await Promise.all(Array.from({ length: 12 }, (_, n) => put(`same${n}`, { d: n })));
  expect(same.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 201));
  const others = await Promise.all(Array.from({ length: 6 }, (_, n) => put(`other${n}`, { [`x${n}`]: n })));
  expect(others.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  expect(await fields()).toHaveLength(MOST);
});

test('an import refuses the rows that find no room, and takes the others', async () => {
  await put('ada', { a: 1, b: 1, c: 1, d: 1 }).expect(201);
  const csv = 'email,data.a,data.x,data.y\none@example.com,1,,\ntwo@example.com,1,2,\nthree@example.com,,2,3\nfour@example.com,,4,\n';
  const { importId } = await upload(app, csv, '', keys.secret);
  await carryOut(importId, keys.projectId, { ...IMPORT_HOST, core: app.core });
  const { data } = (await api().get(`/v1/contacts/import/${importId}`).expect(200)).body;
  expect(data).toMatchObject({ status: 'completed', created: 3, failed: 1 });
  expect(data.errors).toEqual([{ row: 3, email: 'three@example.com', message: 'A project has at most 5 contact fields' }]);
  expect(await fields()).toEqual(['a', 'b', 'c', 'd', 'x']);
});

test('changes of contacts within a transaction are refused alike, each for itself', async () => {
  const { body } = await put('ada', { a: 1, b: 1, c: 1, d: 1, e: 1 }).expect(201);
  const contactId = body.data.contactId as string;
  const project = await getProject(keys.projectId);
  const cause = { source: 'automation', testMode: false, at: new Date(), maxFields: MOST } as const;
  const changes = [{ f: 1 }, { e: 2 }, { e: null, a: 3 }].map((data) => ({ contactId, change: { data } }));
  const faults = await inTransaction((session) => changeTogether(session, project, changes, cause));
  expect(faults).toEqual([expect.objectContaining({ code: 'limit_exceeded' }), null, null]);
  expect((await stored.contacts.one(contactId))?.data).toEqual({ a: 3, b: 1, c: 1, d: 1 });
});

import { ContactModel } from '../../../../src/audience/contacts/model';
import { findBytes, RowReader } from '../../../../src/platform/mongo';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject();

const now = new Date();
const put = (row: object) =>
  stored.contacts.collection.insertOne({ projectId: app.keys.projectId, createdAt: now, updatedAt: now, ...row });
const read = async (ids: object | string, limit: number, sort?: { readonly _id: 1 | -1 }) => {
  const reader = new RowReader<{ _id: string; email: string }>(new Set(['_id', 'email']));
  const rows = await findBytes(ContactModel, { filter: { projectId: app.keys.projectId, _id: ids }, limit, ...(sort && { sort }) });
  return rows.map((row) => reader.read(row));
};

test('rows are found in the order asked for, as many as are wanted, and read member by member', async () => {
  for (const name of ['a', 'b', 'c']) await put({ _id: `few_${name}`, email: `${name}@bytes.test` });
  const few = { $gt: 'few_', $lt: 'few_~' };
  expect(await read(few, 2, { _id: -1 })).toEqual([
    { _id: 'few_c', email: 'c@bytes.test' },
    { _id: 'few_b', email: 'b@bytes.test' },
  ]);
  expect(await read('few_x', 1)).toEqual([]);
});

test('rows that are too many bytes for one answer of the database are all found', async () => {
  const text = 'x'.repeat(6 * 1_048_576);
  for (const name of ['a', 'b', 'c', 'd']) await put({ _id: `large_${name}`, email: `${name}@large.test`, data: { text } });
  const found = await read({ $gt: 'large_', $lt: 'large_~' }, 4, { _id: 1 });
  expect(found.map(({ _id }) => _id)).toEqual(['large_a', 'large_b', 'large_c', 'large_d']);
});

test('lists are read as the driver reads them, and passed over where they are not wanted', async () => {
  const topicsOut = [{ topicId: 'a', since: now, source: 'api' }, { topicId: 'b' }];
  await put({ _id: 'lists', topicsOut, topicsIn: [], email: 'lists@bytes.test', data: { list: [1, ['two'], null] } });
  const [row] = await findBytes(ContactModel, { filter: { projectId: app.keys.projectId, _id: 'lists' }, limit: 1 });
  const readAs = (...names: string[]) => new RowReader<Record<string, unknown>>(new Set(names)).read(row as Buffer);
  expect(readAs('email', 'topicsOut', 'topicsIn')).toEqual({ email: 'lists@bytes.test', topicsOut, topicsIn: [] });
  expect(readAs('email', 'data')).toEqual({ email: 'lists@bytes.test', data: { list: [1, ['two'], null] } });
});

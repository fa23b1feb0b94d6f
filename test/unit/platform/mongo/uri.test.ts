import { databaseIn } from '../../../../src/platform/mongo/connect';

test.each([
  ['mongodb://app:hunter2@a.internal:27017,b.internal/letters?replicaSet=rs0', 'letters at a.internal:27017,b.internal:27017'],
  ['mongodb://127.0.0.1:27018/?directConnection=true', 'test at 127.0.0.1:27018'],
  ['mongodb+srv://app:hunter2@cluster.internal.example/letters', 'letters at cluster.internal.example'],
])('of %s only the database and its hosts are said', (uri, said) => {
  expect(databaseIn(uri)).toBe(said);
});

test('a URI that cannot be read is refused without its password', () => {
  expect(() => databaseIn('mongodb://app:hunter2@a.internal/letters?noSuchOption=1')).toThrow(/^(?!.*hunter2)Bad configuration/s);
});

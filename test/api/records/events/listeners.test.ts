import { newId } from '../../../../src/platform/core/ids';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { listenTo, listeningOf } from '../../../../src/records/events/listeners';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

aProject();
let projectId: string;
beforeEach(() => {
  projectId = newId('prj');
});

const listen = (id: string, ...names: string[]) => inTransaction((session) => listenTo(session, projectId, id, names));
const heard = async (): Promise<readonly string[]> => [...((await stored.listeners.one(projectId))?.names ?? [])].sort();

test('a name is heard as long as one listener has it', async () => {
  await listen('a', 'x', 'y', 'y');
  await listen('b', 'y', 'z');
  expect(await heard()).toEqual(['x', 'y', 'z']);
  await listen('a', 'x');
  expect(await heard()).toEqual(['x', 'y', 'z']);
  await listen('b', 'z', 'w');
  expect(await heard()).toEqual(['w', 'x', 'z']);
  await listen('b');
  expect(await heard()).toEqual(['x']);
  await listen('a');
  expect(await heard()).toEqual([]);
  expect((await listeningOf(projectId)).hears('x')).toBe(false);
});

test('names are texts, whatever they look like', async () => {
  await listen('$a', '$names', '$$ROOT', '*');
  await listen('$a', '$names');
  expect(await heard()).toEqual(['$names']);
  expect((await stored.listeners.one(projectId))?.entries).toEqual([{ id: '$a', names: ['$names'] }]);
});

test('each change is a new version', async () => {
  const versions: number[] = [];
  for (const names of [['x'], ['x'], []]) {
    await listen('a', ...names);
    versions.push((await listeningOf(projectId)).version);
  }
  expect(new Set(versions).size).toBe(3);
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
});

import { awaitLargeWork } from '../../../../src/platform/limits';
import { testCore } from '../../../support/platform/app';

const core = testCore();
const LARGE = 1_000_000;

const hold = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('large work of a project goes one piece at a time; another project has its turn soon, and small work waits for nothing', async () => {
  const order: string[] = [];
  const work = async (projectId: string, bytes: number, name: string): Promise<void> => {
    await awaitLargeWork({ core, projectId }, bytes);
    order.push(name);
    hold(5);
  };
  const crowd = Array.from({ length: 5 }, (_, n) => work('prj_a', LARGE, `a${n}`));
  await Promise.all([...crowd, work('prj_b', LARGE, 'b'), work('prj_a', 65_535, 'small')]);
  expect(order.slice(0, 2)).toEqual(['small', 'a0']);
  expect(order.slice(2, 4)).toContain('b');
  expect(order.filter((name) => name.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
});

import { perCore } from '../../../src/platform/core';
import { testCore } from '../../support/platform/app';

test('what belongs to a core is made once for it, and two cores of a process share nothing', () => {
  const known = perCore(() => new Map<string, number>());
  const [core, other] = [testCore(), testCore()];
  known(core).set('a', 1);
  expect(known(core).get('a')).toBe(1);
  expect(known(other).size).toBe(0);
});

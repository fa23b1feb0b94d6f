import { chooseBranch } from '../../../../src/rules/automation/nodes/split';

const HALVES = [
  { branch: 'a', weight: 1 },
  { branch: 'b', weight: 1 },
];

const ids = Array.from({ length: 20_000 }, (_, index) => `exe_${index.toString(36)}`);

test('the choice is fixed for all time', () => {
  // Computed by another program after the rule at `chooseBranch`.
  const thirds = ['a', 'b', 'c'].map((branch) => ({ branch, weight: 1 }));
  expect(['exe_1', 'exe_2', 'exe_3', 'exe_4', 'exe_5', 'exe_6'].map((id) => chooseBranch(id, 'split', thirds))).toEqual([
    'c',
    'a',
    'b',
    'c',
    'a',
    'b',
  ]);
});

test('the branches share executions by their weights', () => {
  const branches = [
    { branch: 'a', weight: 0.5 },
    { branch: 'b', weight: 3 },
    { branch: 'c', weight: 1.5 },
  ];
  const counts = new Map(branches.map(({ branch }) => [branch, 0]));
  for (const id of ids) {
    const branch = chooseBranch(id, 'n1', branches);
    counts.set(branch, (counts.get(branch) ?? 0) + 1);
  }
  const chi = branches.reduce((sum, { branch, weight }) => {
    const expected = (ids.length * weight) / 5;
    return sum + ((counts.get(branch) ?? 0) - expected) ** 2 / expected;
  }, 0);
  // 99.9 % of fair splits into three stay below.
  expect(chi).toBeLessThan(13.8);
});

test.each([
  ['n1', 'n2'],
  ['split', 'split2'],
  ['a', 'b'],
])('two splits of an execution, %s and %s, know nothing of each other', (first, second) => {
  const same = ids.filter((id) => chooseBranch(id, first, HALVES) === chooseBranch(id, second, HALVES)).length;
  // Four standard deviations around a half.
  expect(Math.abs(same - ids.length / 2)).toBeLessThan(4 * Math.sqrt(ids.length / 4));
});

test('one branch takes all, and the last takes what rounding leaves', () => {
  expect(ids.slice(0, 500).every((id) => chooseBranch(id, 'n', [{ branch: 'only', weight: 0.1 }]) === 'only')).toBe(true);
  const tiny = [
    { branch: 'tiny', weight: Number.MIN_VALUE },
    { branch: 'rest', weight: 1 },
  ];
  expect(ids.slice(0, 500).every((id) => chooseBranch(id, 'n', tiny) === 'rest')).toBe(true);
});

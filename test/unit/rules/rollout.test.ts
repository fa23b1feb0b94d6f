import { countsSince, judgeStep, stepRows } from '../../../src/rules/rollout';

const GOOD = { sent: 1_000, bounced: 0, refused: 0, complained: 0, failed: 0 };

test.each([
  [1_000, [1, 10, 100], [10, 90, 900]],
  [150, [1, 50, 100], [2, 73, 75]],
  [3, [1, 2, 100], [1, 0, 2]],
  [1, [1, 50, 100], [1, 0, 0]],
  [0, [1, 100], [0, 0]],
])('an audience of %i in steps of %j percent has steps of %j', (total, percents, rows) => {
  expect(stepRows(total, percents)).toEqual(rows);
});

test.each([
  ['bounces', { bounced: 50 }, { bounced: 49 }],
  ['refusals', { refused: 50 }, { refused: 49 }],
  ['complaints', { complained: 3 }, { complained: 2 }],
  ['failures', { failed: 50 }, { failed: 49 }],
])('%s stop a rollout from their share on, and not below it', (check, reached, below) => {
  expect(judgeStep({ ...GOOD, ...reached }).map((finding) => finding.check)).toEqual([check]);
  expect(judgeStep({ ...GOOD, ...below })).toEqual([]);
});

test('several things that went wrong are all found, with what to do', () => {
  const findings = judgeStep({ ...GOOD, bounced: 80, complained: 10 });
  expect(findings.map(({ check, detail }) => [check, detail])).toEqual([
    ['bounces', '80 of 1000 messages'],
    ['complaints', '10 of 1000 messages'],
  ]);
  for (const { how } of findings) expect(how).not.toBe('');
});

test('two messages stop nothing, whatever their share, and no message neither', () => {
  expect(judgeStep({ ...GOOD, sent: 2, bounced: 2, complained: 2 })).toEqual([]);
  expect(judgeStep({ ...GOOD, sent: 0 })).toEqual([]);
});

test('what earlier looks counted is not counted again, and counts are never negative', () => {
  const all = { sent: 110, bounced: 7, refused: 1, complained: 2, failed: 0 };
  const before = [{ sent: 10, bounced: 3, refused: 1, complained: 0, failed: 1 }, undefined];
  expect(countsSince(all, before)).toEqual({ sent: 100, bounced: 4, refused: 0, complained: 2, failed: 0 });
});

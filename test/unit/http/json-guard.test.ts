import { scanJson } from '../../../api/http/json-guard';

const excessOf = (bytes: Buffer): string | null => scanJson(bytes).excess;

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
/** Brackets, quotes and backslashes of a string are no structure, wherever in it they are. */
const TAILS = ['', '"', '\\', '\\"', '"\\', '\\\\"[[', `${'"'.repeat(3)}{{${'\\'.repeat(5)}`];
const strings = Array.from({ length: 140 }, (_, length) => TAILS.map((tail) => 'x'.repeat(length) + tail)).flat();
const behind = (text: string, levels: number): Buffer => Buffer.from(`{"a":${JSON.stringify(text)},"b":${nested(levels)}}`);

test('what is behind a string of any length, with quotes, backslashes and brackets in it, is counted as it is', () => {
  const found = strings.map((text) => [excessOf(behind(text, 63)), excessOf(behind(text + text, 64))]);
  expect(found.filter(([within, beyond]) => within !== null || beyond !== 'Nested more than 64 levels deep')).toEqual([]);
});

test('a string that does not end is no more than it is', () => {
  expect(strings.map((text) => excessOf(Buffer.from(JSON.stringify(text).slice(0, -1)))).filter((excess) => excess !== null)).toEqual([]);
});

test('objects of ever other keys are too many, also where the keys differ in their middle alone', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `{"${'k'.repeat(80)}${n}${'k'.repeat(80)}":1}`);
  expect(excessOf(Buffer.from(`[${keys(30_001).join()}]`))).toBe('Too many values');
  expect(excessOf(Buffer.from(`[${Array(30_001).fill(keys(1)[0]).join()}]`))).toBeNull();
});

test('objects of other keys are as many when their keys were chosen to have one hash', () => {
  /** Of equal length, and equal under the usual hash by 31 (`Aa`, `BB` and `C#`). */
  const collidingKeys = (pairs: number): readonly string[] =>
    pairs === 0 ? [''] : collidingKeys(pairs - 1).flatMap((key) => ['Aa', 'BB', 'C#'].map((pair) => key + pair));
  const objects = collidingKeys(10)
    .slice(0, 30_100)
    .map((key) => `{"${key}":1}`);
  expect(excessOf(Buffer.from(`[${objects.join()}]`))).toBe('Too many values');
});

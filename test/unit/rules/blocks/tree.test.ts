import { allOf, duplicated, inserted, moved, namesAround, removed, replaced, spotOf, stepped } from '../../../../src/rules/blocks';
import type { Block } from '../../../../src/rules/blocks';

const line = (id: string): Block => ({ kind: 'divider', id });
const BLOCKS: readonly Block[] = [
  line('a'),
  { kind: 'columns', id: 'cols', columns: [[line('l1'), line('l2')], [line('r1')]] },
  { kind: 'repeat', id: 'rep', field: 'items', name: 'item', blocks: [line('each')] },
  line('z'),
];

const order = (blocks: readonly Block[]): string =>
  allOf(blocks)
    .map(({ id }) => id)
    .join(' ');

test.each<[string, -1 | 1, string]>([
  ['a', 1, 'cols l1 l2 r1 a rep each z'],
  ['a', -1, 'a cols l1 l2 r1 rep each z'],
  ['z', 1, 'a cols l1 l2 r1 rep each z'],
  ['l2', -1, 'a cols l2 l1 r1 rep each z'],
  ['l1', -1, 'a l1 cols l2 r1 rep each z'],
  ['r1', 1, 'a cols l1 l2 r1 rep each z'],
  ['rep', -1, 'a rep each cols l1 l2 r1 z'],
])('the block %s steps by %d', (id, by, expected) => {
  expect(order(stepped(BLOCKS, id, by))).toBe(expected);
});

test('a block that steps past the end of its list leaves the block around it', () => {
  expect(spotOf(stepped(BLOCKS, 'r1', 1), 'r1')).toEqual({ parent: null, list: 0, at: 2 });
});

test('a block is moved between lists, and never into itself', () => {
  const into = moved(BLOCKS, 'a', { parent: 'cols', list: 1, at: 0 });
  expect(spotOf(into, 'a')).toEqual({ parent: 'cols', list: 1, at: 0 });
  expect(order(into)).toBe('cols l1 l2 a r1 rep each z');
  expect(moved(BLOCKS, 'cols', { parent: 'cols', list: 0, at: 0 })).toBe(BLOCKS);
  expect(order(moved(BLOCKS, 'a', { parent: null, list: 0, at: 4 }))).toBe('cols l1 l2 r1 rep each z a');
});

test('a copy lies behind its block, with ids of its own', () => {
  const copy = duplicated(BLOCKS, 'cols');
  const ids = allOf(copy?.blocks ?? []).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(12);
  expect(spotOf(copy?.blocks ?? [], copy?.id ?? '')).toEqual({ parent: null, list: 0, at: 2 });
});

test('what is inserted, changed and removed leaves all other blocks the same objects', () => {
  const added = inserted(BLOCKS, { parent: 'rep', list: 0, at: 1 }, line('new'));
  expect(order(added)).toBe('a cols l1 l2 r1 rep each new z');
  expect(added[1]).toBe(BLOCKS[1]);
  const changed = replaced(BLOCKS, 'each', (block) => ({ ...block, padding: 4 }) as Block);
  expect(changed[1]).toBe(BLOCKS[1]);
  expect(order(removed(BLOCKS, 'cols'))).toBe('a rep each z');
});

test('a block within a repetition knows its element', () => {
  expect(namesAround(BLOCKS, 'each')).toEqual(['item']);
  expect(namesAround(BLOCKS, 'l1')).toEqual([]);
  expect(namesAround(BLOCKS, 'gone')).toBeNull();
});

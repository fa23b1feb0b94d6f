/** A line that is in both texts, in the first alone, or in the second alone. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Above this number of line pairs, everything between the common beginning and end is shown as replaced. */
const MOST_PAIRS = 4_000_000;

const lines = (kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] => texts.map((text) => ({ kind, text }));

/** Returns the length of the longest common subsequence of the rests, for each pair of positions. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  return lengths;
}

function between(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length * after.length > MOST_PAIRS) return [...lines('gone', before), ...lines('new', after)];
  const lengths = commonLengths(before, after);
  const kindAt = (i: number, j: number): DiffLine['kind'] => {
    if (i >= before.length) return 'new';
    if (before[i] === after[j]) return 'same';
    return (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0) ? 'gone' : 'new';
  };
  const found: DiffLine[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const kind = kindAt(i, j);
    found.push({ kind, text: (kind === 'new' ? after[j] : before[i]) ?? '' });
    if (kind !== 'new') i++;
    if (kind !== 'gone') j++;
  }
  return found;
}

/** Returns the difference between two texts, line by line. */
export function diffOf(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const shortest = Math.min(a.length, b.length);
  let start = 0;
  while (start < shortest && a[start] === b[start]) start++;
  let end = 0;
  while (end < shortest - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [
    ...lines('same', a.slice(0, start)),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...lines('same', a.slice(a.length - end)),
  ];
}

/** A shorter name may have one wrong letter, and a very short one none. */
const TWO_EDITS_FROM = 6;
const ONE_EDIT_FROM = 3;
const MOST_EDITS = 2;

const plain = (name: string): string => name.replace(/[-_\s]/g, '').toLowerCase();

/** Returns the known name that was probably meant, however its words are joined; null when none is near. */
export function nearestName(given: string, known: readonly string[]): string | null {
  const letters = plain(given);
  const near = known
    .map((name) => ({ name, edits: editsBetween(letters, plain(name)), most: mostEdits(Math.min(letters.length, plain(name).length)) }))
    .filter(({ edits, most }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.name ?? null;
}

const mostEdits = (length: number): number => (length >= TWO_EDITS_FROM ? MOST_EDITS : length >= ONE_EDIT_FROM ? 1 : 0);

/** Returns how many letters to add, remove or change on the way from one to the other (Levenshtein). */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return MOST_EDITS + 1;
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const now = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const changed = (before[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      now.push(Math.min(changed, (before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[b.length] ?? 0;
}

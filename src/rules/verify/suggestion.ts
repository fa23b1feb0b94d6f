import { BIG_DOMAINS, isKnownDomain } from './known-domains';

/** No mail domain worth comparing is longer. */
const LONGEST = 40;
/** In shorter names an error is as likely to be another name. */
const SHORTEST_WITH_ERROR = 5;
const LONG = 6;

/** Returns the big mail domain that was probably meant, or null. `domain` is in lower case, and need not be a domain at all. */
export function suggestDomain(domain: string): string | null {
  const given = domain.replaceAll(',', '.').replace(/^\.|\.$/g, '');
  if (given === '' || given.length > LONGEST || isKnownDomain(domain)) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const target of BIG_DOMAINS) {
    const errors = errorsBetween(given, target);
    if (errors !== null && errors < least) [best, least] = [target, errors];
  }
  return best;
}

/** Returns how many typing errors lie between a text and a domain; null where they are too many to believe in. */
function errorsBetween(given: string, target: string): number | null {
  if (given === target) return 0;
  const [name, ending] = parted(target);
  const [givenName, givenEnding] = parted(given);
  if (given === name || given.replaceAll('.', '') === target.replaceAll('.', '')) return 1;
  const inName = distance(givenName, name);
  const inEnding = distance(givenEnding, ending);
  const most = name.length < SHORTEST_WITH_ERROR ? 0 : name.length < LONG ? 1 : 2;
  return inName <= most && inEnding <= (ending.length > 2 ? 1 : 0) && inName + inEnding <= 2 ? inName + inEnding : null;
}

/** Returns what comes before the first dot, and after it. */
function parted(domain: string): readonly [string, string] {
  const dot = domain.indexOf('.');
  return dot < 0 ? [domain, ''] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

/**
 * Computes Damerau and Levenshtein's distance, as optimal string alignment: how many letters are left out, added or wrong, or have changed places with their
 * neighbor.
 */
export function distance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const wrong = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + wrong);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;

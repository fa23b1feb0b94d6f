/** A form is held when an hour has more than this many times its usual sign-ups … */
const BURST_TIMES = 10;
/** … but not below this number: a new form has no usual hour yet. */
const BURST_LEAST = 100;

/** Returns the most sign-ups that a form may have in an hour, by those of the hours before it. */
export const burstLimit = (before: readonly number[], hours: number): number =>
  Math.max(BURST_LEAST, Math.ceil((BURST_TIMES * before.reduce((sum, count) => sum + count, 0)) / Math.max(1, hours)));

/** A form that is sent faster than that was not filled in by a person. */
const FASTEST_MS = 1_500;
/** A page that was open for longer is drawn again. */
const SLOWEST_MS = 86_400_000;

/** Returns what the time between the drawing of a form and its sending says. */
export function paceOf(ms: number): 'too_fast' | 'too_slow' | 'human' {
  if (ms < FASTEST_MS) return 'too_fast';
  return ms > SLOWEST_MS ? 'too_slow' : 'human';
}

/** Binary zeros that the hash of a solution begins with: some 65,000 tries, a second or less in a browser. */
export const PROOF_BITS = 16;

/** Returns whether a hash, in hexadecimal digits, begins with enough zeros. */
export const isProof = (hash: string): boolean => hash.startsWith('0'.repeat(PROOF_BITS / 4));

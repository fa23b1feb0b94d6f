const ENOUGH = 3;
const SPAN_MS = 3 * 86_400_000;

/** What became of a message to an address. */
export interface AddressOutcome {
  readonly kind: 'soft' | 'delivered';
  readonly at: Date;
}

/** Returns whether an address is given up: its last three soft bounces, or more, came over three days or longer, and nothing was delivered between. */
export function isGivenUp(outcomes: readonly AddressOutcome[]): boolean {
  const newestFirst = [...outcomes].sort((a, b) => b.at.getTime() - a.at.getTime());
  const delivered = newestFirst.findIndex(({ kind }) => kind === 'delivered');
  const run = delivered < 0 ? newestFirst : newestFirst.slice(0, delivered);
  const [last] = run;
  const first = run.at(-1);
  return run.length >= ENOUGH && last !== undefined && first !== undefined && last.at.getTime() - first.at.getTime() >= SPAN_MS;
}

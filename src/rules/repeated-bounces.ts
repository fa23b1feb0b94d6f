const ENOUGH = 3;
const SPAN_MS = 3 * 86_400_000;
const AGAIN_MS = 3_600_000;

/** The outcome of a message to an address. */
export interface AddressOutcome {
  readonly kind: 'hard' | 'soft' | 'delivered';
  readonly at: Date;
}

/** Returns whether an address is given up: its last three soft bounces, or more, came over three days or longer, and nothing was delivered between. */
export function isGivenUp(outcomes: readonly AddressOutcome[]): boolean {
  const run = sinceDelivery(outcomes).filter(({ kind }) => kind === 'soft');
  const [last] = run;
  const first = run.at(-1);
  return run.length >= ENOUGH && last !== undefined && first !== undefined && last.at.getTime() - first.at.getTime() >= SPAN_MS;
}

/** Returns whether an address that is refused as unknown `at` had been so an hour ago or earlier, and nothing was delivered between. */
export const isRefusedAgain = (earlier: readonly AddressOutcome[], at: Date): boolean =>
  sinceDelivery(earlier).some((outcome) => outcome.kind === 'hard' && at.getTime() - outcome.at.getTime() >= AGAIN_MS);

/** Returns the outcomes since the last delivery, newest first. */
function sinceDelivery(outcomes: readonly AddressOutcome[]): readonly AddressOutcome[] {
  const newestFirst = [...outcomes].sort((a, b) => b.at.getTime() - a.at.getTime());
  const delivered = newestFirst.findIndex(({ kind }) => kind === 'delivered');
  return delivered < 0 ? newestFirst : newestFirst.slice(0, delivered);
}

import type { Variant } from '../contracts/campaign';

/** Results of one variant, each message counted once. Automated opens and clicks do not count. */
export interface VariantResult {
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
}

/** Returns the variant with the higher unique-open rate; in a tie the one with more unique clicks; then `a` (docs/campaigns.md, A/B). */
export function winnerOf(a: VariantResult, b: VariantResult): Variant {
  // Crosswise, since quotients of equal rates need not be equal.
  const opens = b.opened * Math.max(1, a.sent) - a.opened * Math.max(1, b.sent);
  if (opens !== 0) return opens > 0 ? 'b' : 'a';
  return b.clicked > a.clicked ? 'b' : 'a';
}

import { CONFIDENCE, wilson } from './wilson';

/** The known opens of delivered messages. */
interface Opens {
  readonly delivered: number;
  /** Messages that a person opened, or clicked a link in. */
  readonly opened: number;
  /** Messages whose images a proxy loaded ahead of the reader: an open of them is seldom seen. */
  readonly proxied: number;
  /** Messages of both. */
  readonly proxiedOpened: number;
}

export interface OpenEstimate {
  readonly opened: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/**
 * Estimates how many messages were opened: readers behind a proxy are taken to open as often as all others do, which is known to within Wilson's interval. Those of them
 * that were seen to open are the least. Null without other readers.
 */
export function estimateOpens({ delivered, opened, proxied, proxiedOpened }: Opens): OpenEstimate | null {
  const others = delivered - proxied;
  if (others <= 0) return null;
  const seen = Math.min(others, Math.max(0, opened - proxiedOpened));
  const { low, high } = wilson(seen, others);
  const total = (share: number): number => seen + Math.max(proxiedOpened, Math.round(share * proxied));
  return { opened: total(seen / others), low: total(low), high: total(high), confidence: CONFIDENCE };
}

import type { Schemas } from '../../parts/api.ts';
import type { Span } from '../../parts/span.tsx';

type Cap = Schemas['StoredFrequencyCap'];

/** The mail that a cap may hold for, with what it is called. */
export const SOURCES = [
  ['transactional', 'Messages of the API'],
  ['campaign', 'Campaigns'],
  ['workflow', 'Automations'],
] as const;

/** A frequency cap as it is edited. */
export interface WrittenCap {
  readonly name: string;
  readonly max: string;
  readonly per: Span;
  readonly whenReached: Cap['whenReached'];
  readonly waitUpTo: Span;
  /** None for all. */
  readonly sources: readonly string[];
  /** None for all mail, also that without a topic. */
  readonly topics: readonly string[];
}

const WEEK: Span = { amount: 7, unit: 'days' };

export const NEW_CAP: WrittenCap = {
  name: '',
  max: '2',
  per: WEEK,
  whenReached: 'wait',
  waitUpTo: WEEK,
  sources: [],
  topics: [],
};

export const writtenCap = ({ name, max, per, whenReached, waitUpTo = WEEK, appliesTo = {} }: Cap): WrittenCap => ({
  name,
  max: String(max),
  per,
  whenReached,
  waitUpTo,
  sources: appliesTo.sources ?? [],
  topics: appliesTo.topics ?? [],
});

/** Returns the same values as the API takes them. */
export const capBody = ({ name, max, per, whenReached, waitUpTo, sources, topics }: WrittenCap): Cap => ({
  name: name.trim(),
  max: Number(max),
  per,
  whenReached,
  ...(whenReached === 'wait' && { waitUpTo }),
  ...((sources.length > 0 || topics.length > 0) && {
    appliesTo: { ...(sources.length > 0 && { sources: [...sources] }), ...(topics.length > 0 && { topics: [...topics] }) },
  }),
});

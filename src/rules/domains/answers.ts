/** What DNS said of a name: records, for certain none, or nothing to rely on. The shape that the resolver answers in. */
export type Answer<Entry> =
  { readonly said: 'found'; readonly records: readonly Entry[] } | { readonly said: 'none' } | { readonly said: 'unknown' };

/** What a look-up tells of a record: it is there, for certain it is not there as it should be, or nothing. */
export type Verdict = 'verified' | 'wrong' | 'unknown';

/** The verdict that goes by what is at a name. */
export function judged<Entry>(answer: Answer<Entry>, isRight: (records: readonly Entry[]) => boolean): Verdict {
  if (answer.said === 'unknown') return 'unknown';
  return answer.said === 'found' && isRight(answer.records) ? 'verified' : 'wrong';
}

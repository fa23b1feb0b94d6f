/** DNS's answer about a name: records, no records for certain, or nothing reliable. The resolver answers in this shape. */
export type Answer<Entry> =
  | { readonly said: 'found'; readonly records: readonly Entry[] }
  | { readonly said: 'none' }
  | { readonly said: 'unknown' };

/** Returns a name of DNS as names are compared: in lower case, without the root's dot (RFC 4343). */
export const hostName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** The result of looking up a record: it exists, it certainly does not exist as it should, or unknown. */
export type Verdict = 'verified' | 'wrong' | 'unknown';

/** Returns the verdict that goes by what is at a name. */
export function judged<Entry>(answer: Answer<Entry>, isRight: (records: readonly Entry[]) => boolean): Verdict {
  if (answer.said === 'unknown') return 'unknown';
  return answer.said === 'found' && isRight(answer.records) ? 'verified' : 'wrong';
}

/** DNS's last answer about a record, as it is shown. */
export interface Shown {
  readonly said: Answer<never>['said'];
  readonly records: readonly string[];
}

const MOST_RECORDS = 10;
const MOST_CHARACTERS = 1_024;
/** The first characters that tell the kind of a text: `v=spf1`, `v=DKIM1`. */
const KIND_LENGTH = 6;

/** Returns an answer as it is kept: values of the expected kind first, since a domain's own name holds the texts of every service that it ever proved itself to. */
export function shown(answer: Answer<string>, expected: string): Shown {
  if (answer.said !== 'found') return { said: answer.said, records: [] };
  const kind = expected.slice(0, KIND_LENGTH).toLowerCase();
  const isOfKind = (text: string): boolean => text.trim().slice(0, KIND_LENGTH).toLowerCase() === kind;
  const sorted = [...answer.records.filter(isOfKind), ...answer.records.filter((text) => !isOfKind(text))];
  return { said: 'found', records: sorted.slice(0, MOST_RECORDS).map((text) => text.slice(0, MOST_CHARACTERS)) };
}

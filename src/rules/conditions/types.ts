/** A value to compare with: docs/conditions.md says which operator takes which. */
export type Scalar = string | number | boolean;

/** A stretch of time in milliseconds since 1970: `from` belongs to it, `to` does not; null is open. */
export interface Interval {
  readonly from: number | null;
  readonly to: number | null;
}

export type TextField = 'email' | 'firstName' | 'lastName' | 'locale' | 'timezone';
export type InstantField = 'createdAt' | 'updatedAt';
export type Path = readonly string[];

/** The source of a value: a contact's own field, its custom data, the data of the event that started an automation, or what its digest has gathered. */
export type ValueTarget =
  | { readonly in: 'field'; readonly name: TextField | InstantField | 'subscribed' }
  | { readonly in: 'data'; readonly path: Path }
  | { readonly in: 'trigger' | 'items'; readonly path: Path };

export type TextPart = 'contains' | 'startsWith' | 'endsWith';
export type NumberOrder = 'greaterThan' | 'lessThan' | 'greaterThanOrEqual' | 'lessThanOrEqual';

/** A question about a value. A negated test holds for contacts that have the field and do not pass; `present` for all that do not. */
export type ValueTest =
  | { readonly is: 'equal'; readonly negated: boolean; readonly values: readonly Scalar[] }
  | { readonly is: 'text'; readonly negated: boolean; readonly part: TextPart; readonly text: string }
  | { readonly is: 'present'; readonly negated: boolean }
  | { readonly is: 'number'; readonly order: NumberOrder; readonly than: number }
  | { readonly is: 'during'; readonly negated: boolean; readonly interval: Interval }
  | { readonly is: 'age'; readonly older: boolean; readonly ms: number };

export type EmailFact = 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained';

/** Facts of few messages: an index finds those of campaigns by their recipients. All others have only arrived. */
const OUTCOMES = ['opened', 'clicked', 'bounced', 'complained'] as const satisfies readonly EmailFact[];

export type Outcome = (typeof OUTCOMES)[number];

export const isOutcome = (fact: EmailFact): fact is Outcome => (OUTCOMES as readonly string[]).includes(fact);

/** An activity of a contact, or the outcome of mail to it. */
export type Activity =
  | { readonly of: 'event'; readonly name: string }
  | {
      readonly of: 'email';
      readonly status: EmailFact;
      readonly campaignId: string | null;
      /** In an automation: the node whose message it is, of the same execution. */
      readonly nodeId?: string;
    };

/** The nth latest time that an activity happened: if it exists, the activity happened at least n times. */
export interface Occurrence {
  readonly activity: Activity;
  readonly nth: number;
}

/**
 * A question about an occurrence: it `happened` (in the last `ms`, if given), it is `missing` (the opposite), or it is `over`: happened,
 * but not in the last `ms`. Every operator on activity is one of these.
 */
export type ActivityTest =
  | { readonly is: 'happened' | 'missing'; readonly ms: number | null }
  | { readonly is: 'over'; readonly ms: number };

/** One question about a contact. */
export type Condition =
  | { readonly on: 'value'; readonly target: ValueTarget; readonly test: ValueTest }
  | { readonly on: 'activity'; readonly occurrence: Occurrence; readonly test: ActivityTest }
  | { readonly on: 'segment'; readonly segmentId: string; readonly negated: boolean }
  /** Whether the contact gets the mail of the topic of that key. */
  | { readonly on: 'topic'; readonly key: string; readonly subscribed: boolean };

export interface Group {
  readonly filters: readonly Condition[];
  readonly nested: Tree | null;
}

/** A condition tree that means something. A group holds when all its filters and its nested tree do; `logic` joins the groups. */
export interface Tree {
  readonly logic: 'and' | 'or';
  readonly groups: readonly Group[];
}

export interface ConditionFault {
  readonly path: string;
  readonly code: 'invalid_condition';
  readonly message: string;
}

const EARLIEST_MS = -8.64e15;

/** Returns the instant `ms` before `now`; for spans longer than time itself, the earliest there is. */
export const before = (now: Date, ms: number): Date => new Date(Math.max(now.getTime() - ms, EARLIEST_MS));

/** Returns a key for an occurrence: equal for two that are the same. */
export function occurrenceKey({ activity, nth }: Occurrence): string {
  if (activity.of === 'event') return `event:${nth}:${activity.name}`;
  const { status, campaignId, nodeId } = activity;
  return `email:${nth}:${status}:${nodeId === undefined ? (campaignId ?? '') : `node:${nodeId}`}`;
}

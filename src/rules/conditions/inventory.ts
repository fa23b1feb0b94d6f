import { isRowEventName } from '../email-events';
import { isOutcome, occurrenceKey } from './types';
import type { Activity, Condition, Occurrence, Tree } from './types';

/** Returns all filters of a tree, nested ones too. */
export const conditionsIn = (tree: Tree): readonly Condition[] =>
  tree.groups.flatMap(({ filters, nested }) => [...filters, ...(nested ? conditionsIn(nested) : [])]);

type EventActivity = Extract<Activity, { of: 'event' }>;
type EmailActivity = Extract<Activity, { of: 'email' }>;

/** The activity of a contact that must be known before a tree can be judged in memory; each occurrence once, each an indexed read of one row. */
export interface FactsNeeded {
  readonly events: readonly (Occurrence & { readonly activity: EventActivity })[];
  readonly emails: readonly (Occurrence & { readonly activity: EmailActivity })[];
  readonly segments: readonly string[];
}

const isOfEvent = (occurrence: Occurrence): occurrence is FactsNeeded['events'][number] => occurrence.activity.of === 'event';
const isOfEmail = (occurrence: Occurrence): occurrence is FactsNeeded['emails'][number] => occurrence.activity.of === 'email';

/** Returns the facts that conditions ask for. The facts of several trees are loaded together. */
export function factsNeeded(...trees: readonly Tree[]): FactsNeeded {
  const conditions = trees.flatMap(conditionsIn);
  const occurrences = conditions.flatMap((condition) => (condition.on === 'activity' ? [condition.occurrence] : []));
  const distinct = [...new Map(occurrences.map((occurrence) => [occurrenceKey(occurrence), occurrence])).values()];
  const segments = conditions.flatMap((condition) => (condition.on === 'segment' ? [condition.segmentId] : []));
  return { events: distinct.filter(isOfEvent), emails: distinct.filter(isOfEmail), segments: [...new Set(segments)] };
}

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** Returns the campaigns of whose messages anything is asked that only their ids lead to; null for all campaigns of the project. */
export function campaignsAsked({ events, emails }: FactsNeeded): readonly string[] | null {
  const ofAny = emails.some(
    ({ activity: { status, campaignId, nodeId } }) => campaignId === null && nodeId === undefined && !isOutcome(status),
  );
  if (ofAny || events.some(({ activity }) => isRowEventName(activity.name))) return null;
  return distinct(emails.flatMap(({ activity }) => activity.campaignId ?? []));
}

/** Returns the ids of the segments whose members the tree asks for. */
export const segmentRefs = (tree: Tree): readonly string[] => factsNeeded(tree).segments;

/** Returns the keys of the topics that trees ask about, each once. */
export const topicRefs = (...trees: readonly Tree[]): readonly string[] =>
  distinct(trees.flatMap(conditionsIn).flatMap((condition) => (condition.on === 'topic' ? [condition.key] : [])));

/** Lists the events that a tree asks about, each once. */
export const eventNames = (tree: Tree): readonly string[] => distinct(factsNeeded(tree).events.map(({ activity }) => activity.name));

/** Lists what a tree asks about messages, each once. */
export const emailStatuses = (tree: Tree): readonly EmailActivity['status'][] =>
  distinct(factsNeeded(tree).emails.map(({ activity }) => activity.status));

/** Lists the campaigns that a tree names, each once. */
export const campaignRefs = (tree: Tree): readonly string[] =>
  distinct(factsNeeded(tree).emails.flatMap(({ activity }) => activity.campaignId ?? []));

/** Returns the keys of the contact's `data`, without what lies below them. */
export const fieldsRead = (tree: Tree): readonly string[] =>
  distinct(
    conditionsIn(tree).flatMap((condition) =>
      condition.on === 'value' && condition.target.in === 'data' ? condition.target.path.slice(0, 1) : [],
    ),
  );

/** Returns whether the answer can change by the mere passing of time. */
export const dependsOnTime = (tree: Tree): boolean =>
  conditionsIn(tree).some((condition) => {
    if (condition.on === 'activity') return condition.test.ms !== null;
    return condition.on === 'value' && condition.test.is === 'age';
  });

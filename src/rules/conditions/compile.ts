import type { CampaignStarts } from '../campaign-mail-ids';
import { topicQuery } from '../topics';
import type { MailTopic } from '../topics';
import { ACTIVITY, ActivityLookups } from './compile-activity';
import type { SentBy, Stage } from './compile-activity';
import { valueQuery } from './compile-values';
import type { Query } from './compile-values';
import type { Facts } from './evaluate';
import { factsNeeded } from './inventory';
import type { FactsNeeded } from './inventory';
import type { Condition, Tree } from './types';

interface Scope {
  readonly projectId: string;
  readonly now: Date;
  /** The project's campaigns; none where nothing is asked of campaign messages. */
  readonly starts?: CampaignStarts;
  /** The topics that the tree asks about, by key. */
  readonly topics?: ReadonlyMap<string, MailTopic>;
}

interface Compiled {
  /** To be run on `contacts`, after a `$match` of the project. What comes out are the contacts as they are stored. */
  readonly stages: readonly Stage[];
  /** Whether events, e-mails or memberships are looked up. */
  readonly touchesActivity: boolean;
  /** The way to count those that pass by indexes alone, where there is one. */
  readonly difference?: Difference;
}

/** A count as the difference of `all` and `others`: an index counts both, but not the matching rows. */
export interface Difference {
  readonly all: Query;
  readonly others: Query;
}

/**
 * Returns the stages of an aggregation that lets those contacts pass for which a tree holds at `now` (docs/conditions.md). Conditions on
 * the contact alone are one `$match`. It comes before all lookups, which run, cheapest condition first, only for contacts that are still
 * undecided.
 */
export function compile(tree: Tree, { projectId, now, starts, topics }: Scope): Compiled {
  const parts = conjuncts(nodeOf(tree));
  const lookups = new ActivityLookups({ projectId, starts });
  const query = (condition: Condition): Query => {
    switch (condition.on) {
      case 'value':
        return valueQuery(condition.target, condition.test, now);
      case 'activity':
        return lookups.occurrenceQuery(condition.occurrence, condition.test, now);
      case 'topic': {
        const topic = topics?.get(condition.key);
        return topic ? topicQuery(topic, condition.subscribed) : NOBODY;
      }
      case 'segment':
        return lookups.memberQuery(condition.segmentId, condition.negated);
    }
  };
  const early = parts.map(necessary).filter((node) => node !== null);
  const late = parts.filter((part) => !isOfContact(part));
  const looking = late.flatMap((part) => [...lookups.stagesFor(factsOf(part)), { $match: write(part, query) }]);
  return {
    stages: [
      ...(early.length > 0 ? [{ $match: write({ all: early }, query) }] : []),
      ...looking,
      ...(late.length > 0 ? [{ $unset: ACTIVITY }] : []),
    ],
    touchesActivity: late.length > 0,
    ...differenceOf(parts, topics, query),
  };
}

/**
 * Returns the stages that look up the facts which trees ask for, to be run on `contacts` after a `$match` of the project and the contact, and how to read
 * them from the document that comes out: contact and facts in one query.
 */
export function compileFacts(
  needed: FactsNeeded,
  projectId: string,
  starts?: CampaignStarts,
  sentBy?: SentBy,
): { readonly stages: readonly Stage[]; readonly read: (document: object) => Facts } {
  const lookups = new ActivityLookups({ projectId, starts, sentBy });
  return { stages: lookups.stagesFor(needed), read: (document) => lookups.foundIn(document as Readonly<Record<string, unknown>>) };
}

/**
 * Returns how indexes count the contacts of one topic by its default, if nothing else is asked but whether they are subscribed: contacts who chose are in an
 * index, contacts by the default are not.
 */
function differenceOf(
  parts: readonly Node[],
  topics: Scope['topics'],
  query: (condition: Condition) => Query,
): Pick<Compiled, 'difference'> {
  const others = parts.flatMap((part) => othersOf(part, topics) ?? []);
  const rest = parts.filter((part) => othersOf(part, topics) === null);
  if (others.length !== 1 || !rest.every(isSubscription)) return {};
  const all = rest.map((part) => write(part, query));
  return { difference: { all: all.length > 0 ? { $and: all } : {}, others: { $and: [...all, ...others] } } };
}

/** Returns the query for those to whom a condition on a topic does not apply, if they are the ones who chose. */
function othersOf(part: Node, topics: Scope['topics']): Query | null {
  if (!('condition' in part) || part.condition.on !== 'topic') return null;
  const { key, subscribed } = part.condition;
  const topic = topics?.get(key);
  return topic && subscribed === (topic.defaultSubscription === 'in') ? topicQuery(topic, !subscribed) : null;
}

/** Returns whether it is one plain comparison of `subscribed`, which is part of the indexes. */
function isSubscription(part: Node): boolean {
  if (!('condition' in part) || part.condition.on !== 'value') return false;
  const { target, test } = part.condition;
  return target.in === 'field' && target.name === 'subscribed' && test.is === 'equal' && !test.negated;
}

/** Matches no contact: the topic is not there. */
const NOBODY: Query = { _id: { $in: [] } };

type Node = { readonly all: readonly Node[] } | { readonly any: readonly Node[] } | { readonly condition: Condition };

function nodeOf({ logic, groups }: Tree): Node {
  const nodes = groups.map(({ filters, nested }): Node => ({
    all: [...filters.map((condition) => ({ condition })), ...(nested ? [nodeOf(nested)] : [])],
  }));
  return logic === 'or' && nodes.length > 1 ? { any: nodes } : { all: nodes };
}

/** Returns the parts that all have to hold. */
const conjuncts = (node: Node): readonly Node[] => ('all' in node ? node.all.flatMap(conjuncts) : [node]);

function conditionsOf(node: Node): readonly Condition[] {
  if ('condition' in node) return [node.condition];
  return ('all' in node ? node.all : node.any).flatMap(conditionsOf);
}

const isOfContact = (node: Node): boolean => conditionsOf(node).every(isAboutContact);

/** Returns whether the contact's own row answers it. */
const isAboutContact = ({ on }: Condition): boolean => on === 'value' || on === 'topic';

const factsOf = (node: Node): FactsNeeded => factsNeeded({ logic: 'and', groups: [{ filters: conditionsOf(node), nested: null }] });

/** Returns what a contact must be like, activity apart, if the node is to hold; null where that is nothing. */
function necessary(node: Node): Node | null {
  if ('condition' in node) return isAboutContact(node.condition) ? node : null;
  if ('all' in node) {
    const all = node.all.map(necessary).filter((part) => part !== null);
    return all.length > 0 ? { all } : null;
  }
  const any = node.any.map(necessary);
  return any.every((part) => part !== null) ? { any } : null;
}

/** Writes a condition; a single part has no list around it. */
function write(node: Node, query: (condition: Condition) => Query): Query {
  if ('condition' in node) return query(node.condition);
  const parts = ('all' in node ? node.all : node.any).map((part) => write(part, query));
  if (parts.length === 1 && parts[0]) return parts[0];
  return 'all' in node ? { $and: parts } : { $or: parts };
}

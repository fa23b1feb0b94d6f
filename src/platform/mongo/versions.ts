import { dropIndex } from './indexes';

/** What a step of a migration is done with. It may be killed at any moment, and is continued by another process. */
export interface Work {
  /** The last progress that a run of the step stored; null at its beginning. */
  readonly at: string | null;
  /** Notes how far it has come, and how many rows were changed since the last note. Rejects when another process has taken over: do nothing more then. */
  note(at: string, rows: number): Promise<void>;
}

type Step = (work: Work) => Promise<void>;

/** A version of what the database is like, beyond the indexes: those are as the models declare them. */
export interface Version {
  readonly version: number;
  /** For people. */
  readonly what: string;
  /** Runs before any process of this version starts, while processes of the version before go on: it adds, and removes nothing that they need. */
  readonly expand?: Step;
  /** Done when no process of an earlier version runs and none is to come back: it takes away what only those needed. */
  readonly contract?: Step;
}

/** Indexes of earlier releases that refuse what this one stores, or hold what is not looked for there. The last release that knew no versions drops them too. */
const RETIRED = [
  ['event_groups', 'emails_1'],
  ['emails', 'projectId_1_to_1_createdAt_-1__id_-1'],
  ['event_names', 'projectId_1_lastSeenAt_-1__id_1'],
  ['events', 'fanOut_1_fanOutAt_1__id_1'],
  ['campaign_claims', 'emails_1'],
  ['campaign_links', 'campaignId_1_uniqueClicks_-1_clicks_-1__id_1'],
] as const;

async function dropRetired(): Promise<void> {
  for (const [collection, index] of RETIRED) await dropIndex(collection, index);
}

/**
 * All versions in order; the last one is what this release needs. Releases before there were versions count as 0. docs/decisions/0045 says when a change
 * wants one: an index that is only added does not.
 */
export const VERSIONS: readonly Version[] = [
  { version: 1, what: 'indexes of earlier releases that this one does not use are dropped', expand: dropRetired },
  {
    version: 2,
    what: 'workflows say by the search attribute Due when they go on, rows of single messages hold email.queued, email.sent and email.delivered',
    contract: () => Promise.resolve(),
  },
];

/** From this version on processes read events of single messages from their rows; they leave them there once it is contracted. */
export const ROWS_HOLD_EVENTS = 2;

/** The version that this release knows. */
export const SCHEMA_VERSION = VERSIONS.at(-1)?.version ?? 0;

import mongoose from 'mongoose';

/** Progress of a step of a migration. The process may be killed at any moment; another one continues the step. */
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
  /** Runs before any process of this version starts, while processes of the previous version run: it adds, and removes nothing that they need. */
  readonly expand?: Step;
  /** Runs when no process of an earlier version runs and none will come back: it removes what only those needed. */
  readonly contract?: Step;
}

/** Indexes of 0.1.0 by collection: those by age over all projects, as retention goes project by project, and those that a longer one replaces. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  automation_executions: ['finishedAt_1'],
  automations: ['projectId_1_createdAt_-1__id_-1'],
  campaigns: ['startedAt_1', 'projectId_1_createdAt_-1__id_-1', 'projectId_1_status_1_createdAt_-1__id_-1'],
  contact_notes: ['createdAt_1'],
  domain_reports: ['day_1'],
  domain_sent_days: ['day_1'],
  emails: ['contentCheckAt_1'],
  events: ['projectId_1_contactId_1_createdAt_-1__id_-1'],
  projects: ['reputation.state_1'],
  segments: ['projectId_1_createdAt_-1__id_-1'],
};

async function dropReplacedIndexes(): Promise<void> {
  for (const [collection, names] of Object.entries(REPLACED)) {
    const indexes = mongoose.connection.collection(collection);
    for (const name of names) if (await indexes.indexExists(name)) await indexes.dropIndex(name);
  }
}

/**
 * All versions in order. The last one is what this release needs; a new database has it at once. CONTRIBUTING.md (Change what is stored) says when a change
 * needs one: an index that is only added does not.
 */
export const VERSIONS: readonly Version[] = [
  { version: 1, what: 'the collections and indexes that the models declare' },
  { version: 2, what: 'without the indexes that longer ones replace', contract: dropReplacedIndexes },
];

/** The version that this release knows. */
export const SCHEMA_VERSION = VERSIONS.at(-1)?.version ?? 0;

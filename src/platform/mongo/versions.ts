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

/**
 * All versions in order. The last one is what this release needs; a new database has it at once. CONTRIBUTING.md (Change what is stored) says when a change
 * needs one: an index that is only added does not.
 */
export const VERSIONS: readonly Version[] = [{ version: 1, what: 'the collections and indexes that the models declare' }];

/** The version that this release knows. */
export const SCHEMA_VERSION = VERSIONS.at(-1)?.version ?? 0;

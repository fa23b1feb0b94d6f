export interface OfProjects {
  readonly $in: string[];
}

/**
 * Returns the condition that rows belong to the projects of `rows`. Ids alone find the rows; the projects name the shards that have them
 * (docs/design/sharding.md).
 */
export const ofProjects = (rows: readonly { readonly projectId: string }[]): OfProjects => ({
  $in: [...new Set(rows.map(({ projectId }) => projectId))],
});

/** Returns the filter for rows by their ids that names the shards that have them. */
export const sameRows = (rows: readonly { readonly _id: string; readonly projectId: string }[]) => ({
  _id: { $in: rows.map(({ _id }) => _id) },
  projectId: ofProjects(rows),
});

/** Returns options for a query that finds up to `rows` rows: all come with the first answer. By default, it holds 101, and the rest takes another call. */
export const inOneAnswer = (rows: number): { readonly batchSize: number } => ({ batchSize: rows + 1 });

/**
 * Returns options for a query that finds at most this many rows: all of them come with the first answer, which would otherwise hold 101
 * rows.
 */
export const inOneAnswer = (rows: number): { readonly batchSize: number } => ({ batchSize: rows + 1 });

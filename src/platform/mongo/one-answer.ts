/** Makes options for a query that finds at most so many rows: all of them come with the first answer, which would otherwise hold 101 and have the rest asked for. */
export const inOneAnswer = (rows: number): { readonly batchSize: number } => ({ batchSize: rows + 1 });

/** Splits rows, in their order, into chunks of `size`; the last may be shorter. */
export const chunks = <T>(rows: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));

/** Returns the range of `_id` that the members of a segment have; `;` follows `:`. */
export const idsOf = (segmentId: string): { readonly $gt: string; readonly $lt: string } => ({
  $gt: `${segmentId}:`,
  $lt: `${segmentId};`,
});

export const memberId = (segmentId: string, contactId: string): string => `${segmentId}:${contactId}`;

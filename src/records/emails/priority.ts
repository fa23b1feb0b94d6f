/** Which of a project's messages goes first when several are due: campaigns and automations wait behind its other mail. */
export const PRIORITY_OF = { transactional: 0, bulk: 1 } as const;

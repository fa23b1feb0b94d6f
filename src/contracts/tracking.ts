/** What of a message may be followed. */
export const TRACKED = ['opens', 'clicks'] as const;
/** What may be followed of a message. */
export type Tracked = (typeof TRACKED)[number];

/** What somebody wants of it; what is not said is left to others. */
export type TrackingWish = { readonly [K in Tracked]?: boolean | undefined };

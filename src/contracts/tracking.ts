/** The kinds of activity that can be tracked. */
export const TRACKED = ['opens', 'clicks'] as const;
/** One of them. */
export type Tracked = (typeof TRACKED)[number];

/** A choice for each kind; an absent one falls back to other settings. */
export type TrackingWish = { readonly [K in Tracked]?: boolean | undefined };

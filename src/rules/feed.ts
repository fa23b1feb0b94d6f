/** The order in which a turn takes the entries of a feed. */
export const FEED_SORTS = ['newest', 'oldest'] as const;

/** The most entries that a turn may have. */
export const MOST_ITEMS = 20;

/** The feed of a recurring campaign, as its author gives it. */
export interface FeedSettings {
  readonly url: string;
  /** With fewer new entries, there is no turn. */
  readonly minItems: number;
  readonly maxItems: number;
  readonly sort: (typeof FEED_SORTS)[number];
}

/** An entry of a feed as templates read it; what the feed does not say is null. */
export interface FeedItem {
  /** The entry's own id, or its URL where it has none. */
  readonly guid: string;
  readonly title: string | null;
  readonly url: string | null;
  /** Plain text. */
  readonly summary: string | null;
  /** Cleaned HTML; null where it is too long for mail. */
  readonly html: string | null;
  readonly author: string | null;
  readonly image: string | null;
  /** ISO 8601 instant. */
  readonly publishedAt: string | null;
}

/** The feed of a turn as templates read it, under `feed`. */
export interface FeedContent {
  readonly title: string | null;
  readonly items: readonly FeedItem[];
}

/** An entry as far as its choice goes by it. */
interface Dated {
  readonly publishedAt: Date | null;
}

/** Orders entries. Feeds list the newest entry first; their dates count where each entry has one. */
function inOrder<T extends Dated>(entries: readonly T[], sort: FeedSettings['sort']): readonly T[] {
  const isDated = entries.every(({ publishedAt }) => publishedAt !== null);
  const newestFirst = isDated ? [...entries].sort((a, b) => (b.publishedAt?.getTime() ?? 0) - (a.publishedAt?.getTime() ?? 0)) : entries;
  return sort === 'newest' ? newestFirst : [...newestFirst].reverse();
}

interface Chosen<T> {
  /** None where the turn is skipped. */
  readonly taken: readonly T[];
  readonly skipReason: 'nothing_new' | 'too_few_items' | null;
  /** The number of new entries that stay for later turns. */
  readonly left: number;
}

/** Chooses the entries of a turn from those that no turn before it has sent. */
export function chosenOf<T extends Dated>(fresh: readonly T[], { minItems, maxItems, sort }: Omit<FeedSettings, 'url'>): Chosen<T> {
  if (fresh.length === 0) return { taken: [], skipReason: 'nothing_new', left: 0 };
  if (fresh.length < minItems) return { taken: [], skipReason: 'too_few_items', left: fresh.length };
  const taken = inOrder(fresh, sort).slice(0, maxItems);
  return { taken, skipReason: null, left: fresh.length - taken.length };
}

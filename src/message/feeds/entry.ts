/** A text of a feed: plain, or HTML. */
export interface FeedText {
  readonly text: string;
  readonly isHtml: boolean;
}

/** An entry as its feed says it; nothing in it is clean. */
export interface Entry {
  /** Null where the feed gives neither an id nor a URL. */
  readonly guid: string | null;
  readonly url: string | null;
  readonly title: FeedText | null;
  readonly summary: FeedText | null;
  readonly content: FeedText | null;
  readonly publishedAt: Date | null;
  readonly author: string | null;
  readonly image: string | null;
}

export interface Feed {
  readonly title: FeedText | null;
  readonly entries: readonly Entry[];
}

/** A document that is no feed, or one that is refused; says why. */
export class FeedFault extends Error {
  override readonly name = 'FeedFault';
}

/** Later entries are not checked. */
export const MOST_ENTRIES = 1_000;

/** Reads an instant; null for what is none. */
export function dateOf(text: string | null): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Returns a text without white space around it; null for one that is empty. */
export const presentOf = (text: string | null | undefined): string | null => text?.trim() || null;

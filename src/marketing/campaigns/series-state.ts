import type { SeenFeed } from '../feeds';

/** Progress of a recurring campaign that was started. */
export interface SeriesState {
  /** The instant from which its rule counts. */
  readonly from: Date;
  /** All instants up to this one had their turn, or none. */
  readonly after: Date;
  /** The next instant; null when there is none. */
  readonly nextAt: Date | null;
  /** The number of instants that are behind it. */
  readonly turns: number;
  /** The campaign of the last turn that was sent. */
  readonly childId: string | null;
  /** A person's answer to instants that were missed, until it is used. */
  readonly answer?: 'latest' | 'skip';
  /** Set while turns have sent all that its feed lists. */
  readonly seen?: SeenFeed;
  /** Set while the feed of a turn that is due cannot be read. */
  readonly feedWait?: FeedWait;
}

/** The attempts to read the feed of a turn. */
export interface FeedWait {
  /** The instant of the turn. */
  readonly at: Date;
  /** When it could not be read for the first time. */
  readonly since: Date;
  readonly attempts: number;
  /** When it is tried again. */
  readonly next: Date;
}

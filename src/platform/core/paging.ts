/** A position in a list that is ordered by an instant, then by id. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

/** Returns a position in a list whose order is that of its ids. */
export const positionAt = (id: string): Position => ({ at: new Date(0), id });

/** Which part of a list is asked for. */
export interface PageRequest {
  readonly limit: number;
  /** The last row of the page before; null for the first page. */
  readonly after: Position | null;
  /** Resolves when this many bytes of rows may be decoded; if absent, they are decoded at once. */
  readonly room?: (bytes: number) => Promise<void>;
}

/** A row of a list, and the position at which the list continues after it. */
export interface Positioned<T> {
  readonly row: T;
  readonly position: Position;
}

export type Rows<T> = AsyncIterable<Positioned<T>>;

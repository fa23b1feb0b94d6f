/** A place in a list that is ordered by an instant, then by id. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

export interface PageRequest {
  readonly limit: number;
  /** The last row of the page before; null for the first page. */
  readonly after: Position | null;
}

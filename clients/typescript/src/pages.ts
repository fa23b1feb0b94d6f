/** One page of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** The `cursor` of the next page; null at the end. */
  readonly nextCursor: string | null;
}

/** A list that is fetched page by page, as far as it is read: `for await (const row of list)`. */
export class Pages<T> implements AsyncIterable<T> {
  private readonly fetchPage: (cursor: string | undefined) => Promise<Page<T>>;

  constructor(fetchPage: (cursor: string | undefined) => Promise<Page<T>>) {
    this.fetchPage = fetchPage;
  }

  /** Resolves to one page: the first, or the one that a cursor leads to. */
  page(cursor?: string): Promise<Page<T>> {
    return this.fetchPage(cursor);
  }

  /** Yields the pages, one after another. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.fetchPage(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { rows } of this.pages()) yield* rows;
  }

  /** Resolves to all rows, or to at most `most`. */
  async toArray(most: number = Number.POSITIVE_INFINITY): Promise<T[]> {
    const rows: T[] = [];
    for await (const row of this) {
      if (rows.length >= most) break;
      rows.push(row);
    }
    return rows;
  }
}

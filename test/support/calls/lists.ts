import type { Api } from '../platform/app';

type Row = Readonly<Record<string, unknown>>;

/** An answer of a list that has pages; one that is shown whole unless a limit is said names the next page within its data. */
export interface ListAnswer {
  readonly data: { readonly data: readonly Row[]; readonly nextCursor?: string | null };
  readonly nextCursor?: string | null;
}

/** Walks a list to its end and resolves to all its rows; `onPage` runs after each page. */
export async function rowsOf<T>(
  api: Api,
  path: string,
  query: object = {},
  onPage: (index: number) => Promise<unknown> = async () => undefined,
): Promise<T[]> {
  const rows: T[] = [];
  let at: object = {};
  for (let index = 0; ; index++) {
    const { body } = await api
      .get(path)
      .query({ ...query, ...at })
      .expect(200);
    rows.push(...(body.data as T[]));
    await onPage(index);
    if (body.nextCursor === null) return rows;
    at = { cursor: body.nextCursor as string };
  }
}

/** Calls of lists that are shown whole unless a limit is said. */
export const wholeListCalls = (api: () => Api) => {
  const get = async (path: string, query: object = {}): Promise<ListAnswer> =>
    (await api().get(path).query(query).expect(200)).body as ListAnswer;
  return {
    get,
    /** All answers of a walk; `between` runs once, after the first of them. */
    async walk(
      path: string,
      query: object,
      between: (first: ListAnswer) => Promise<unknown> = () => Promise.resolve(),
    ): Promise<ListAnswer[]> {
      const answers = [await get(path, query)];
      await between(answers[0] as ListAnswer);
      for (let cursor = answers[0]?.data.nextCursor; cursor; cursor = answers.at(-1)?.data.nextCursor) {
        answers.push(await get(path, { ...query, cursor }));
      }
      return answers;
    },
    rowsIn: (answers: readonly ListAnswer[]): readonly Row[] => answers.flatMap(({ data }) => data.data),
  };
};

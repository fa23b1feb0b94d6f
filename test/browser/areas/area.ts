import type { Platform } from '../../support/platform';

type Row = Readonly<Record<string, string>>;

/** What the places of single things are made of. */
export type Ids = Row;

/** A screen's name, its place, its heading, and what is to be seen on it where scripts were planted, once all is there. */
type ScreenRow = readonly [name: string, place: (ids: Ids) => string, heading: string | RegExp, seen: string | RegExp];

/** Where things are made, and by what. */
export interface Ground {
  readonly platform: Platform;
  /** Posts; resolves to what is answered, and fails unless it was taken. */
  readonly post: (path: string, body: object) => Promise<Row>;
  /** Sends a CSV file; resolves to the id of the import. */
  readonly upload: (path: string, file: string) => Promise<string>;
  /** What is done when the tests of the file are over. */
  readonly atEnd: (() => void)[];
}

/** Screens that belong together, with what they need to show something. */
export interface Area {
  readonly screens: readonly ScreenRow[];
  /** Makes what a small shop has; resolves to the ids. */
  readonly example: (ground: Ground) => Promise<Ids>;
  /** Makes the same with markup and scripts in every text that people can give the platform. */
  readonly planted: (ground: Ground) => Promise<Ids>;
}

export const groundOf = (platform: Platform): Ground => ({
  platform,
  post: async (path, body) => {
    const { status, body: answer } = await platform.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data as Row;
  },
  upload: async (path, file) => {
    const headers = { authorization: `Bearer ${platform.keys.secret}`, 'content-type': 'text/csv' };
    const answer = await fetch(platform.url + path, { method: 'POST', headers, body: file });
    const { data } = (await answer.json()) as { readonly data: Row };
    return data['importId'] ?? '';
  },
  atEnd: [],
});

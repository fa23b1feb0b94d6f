import type { Platform } from '../../support/platform/platform';

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

/** A click by what may be a machine counts for nothing. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64)';

/** Opens the newest message to somebody, with a program of some name, and follows its links. */
export async function read(platform: Platform, to: string, program: string): Promise<void> {
  const source = (platform.arrived(to).at(-1)?.raw.toString() ?? '').replaceAll('=\r\n', '');
  const links = new Set(source.match(/\/t\/[oc]\/[0-9A-Za-z._-]+/g));
  if (links.size < 2) throw new Error('It has no links that are followed');
  for (const link of links) {
    const headers = { 'user-agent': link.startsWith('/t/o/') ? program : BROWSER };
    await fetch(platform.url + link, { redirect: 'manual', headers });
  }
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

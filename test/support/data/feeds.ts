/** An entry of a feed that a test writes. */
export interface WrittenEntry {
  readonly id: string;
  readonly title: string;
  /** HTML. */
  readonly content?: string;
  /** ISO 8601 instant. */
  readonly at: string;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const linkOf = ({ id }: WrittenEntry): string => `https://blog.example.com/${id}`;

/** Entries of the same content in each of the three formats. */
export const FORMATS = {
  rss: (entries: readonly WrittenEntry[]): string =>
    `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>The blog</title>${entries
        .map(
          (entry) => `<item><guid isPermaLink="false">${entry.id}</guid><link>${linkOf(entry)}</link><title>${escaped(entry.title)}</title>
          <description>About ${escaped(entry.title)}</description><dc:creator>Ada</dc:creator><pubDate>${new Date(entry.at).toUTCString()}</pubDate>
          <enclosure url="/pictures/${entry.id}.png" type="image/png" length="1"/>
          <content:encoded><![CDATA[${entry.content ?? `<p>${entry.title}</p>`}]]></content:encoded></item>`,
        )
        .join('')}</channel></rss>`,
  atom: (entries: readonly WrittenEntry[]): string =>
    `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>The blog</title>${entries
      .map(
        (
          entry,
        ) => `<entry><id>${entry.id}</id><link rel="self" href="/self"/><link href="${linkOf(entry)}"/><title>${escaped(entry.title)}</title>
          <summary>About ${escaped(entry.title)}</summary><author><name>Ada</name></author><published>${entry.at}</published>
          <link rel="enclosure" type="image/png" href="https://blog.example.com/pictures/${entry.id}.png"/>
          <content type="html">${escaped(entry.content ?? `<p>${entry.title}</p>`)}</content></entry>`,
      )
      .join('')}</feed>`,
  json: (entries: readonly WrittenEntry[]): string =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'The blog',
      items: entries.map((entry) => ({
        id: entry.id,
        url: linkOf(entry),
        title: entry.title,
        summary: `About ${entry.title}`,
        authors: [{ name: 'Ada' }],
        date_published: entry.at,
        image: `https://blog.example.com/pictures/${entry.id}.png`,
        content_html: entry.content ?? `<p>${entry.title}</p>`,
      })),
    }),
} as const;

const day = (count: number): string => new Date(Date.UTC(2026, 0, count)).toISOString();

/** Entries named by their numbers, the newest first, as feeds list them. */
export const entries = (...numbers: readonly number[]): readonly WrittenEntry[] =>
  [...numbers].sort((a, b) => b - a).map((number) => ({ id: `post-${number}`, title: `Post ${number}`, at: day(number) }));

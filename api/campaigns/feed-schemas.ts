import { z } from 'zod';
import { FEED_SORTS, MOST_ITEMS } from '../../src/rules/feed';
import { added, count, extended, httpUrl, optionalText, optionalTimestamp, together } from '../http/pieces';

const number = (most: number) => z.int().min(1).max(most);
const LEAST = 'With fewer new entries, the turn is skipped';
const MOST = 'New entries beyond these stay for later turns';
const SORT = 'Which entries a turn takes first: the `newest` or the `oldest`';

const Feed = z
  .strictObject({
    url: httpUrl.meta({ description: 'RSS, Atom or JSON Feed' }),
    minItems: number(MOST_ITEMS).default(1).meta({ description: LEAST }),
    maxItems: number(MOST_ITEMS).default(10).meta({ description: MOST }),
    sort: z.enum(FEED_SORTS).default('newest').meta({ description: SORT }),
  })
  .refine(({ minItems, maxItems }) => minItems <= maxItems, together('Must not be more than `maxItems`', 'minItems'))
  .meta({ id: 'CampaignFeed', description: 'The feed whose new entries each turn sends' });

export const feed = added(
  Feed.nullable().optional(),
  'the feed of a recurring campaign; its text reads `{{#each feed.items}}`. Null for none',
);

export const shownFeed = extended(
  z
    .object({
      url: z.string(),
      minItems: count.meta({ description: LEAST }),
      maxItems: count.meta({ description: MOST }),
      sort: z.enum(FEED_SORTS).meta({ description: SORT }),
    })
    .meta({ id: 'ShownFeed', description: 'The feed of a recurring campaign' })
    .optional(),
  'Present if the turns of the campaign send entries of a feed',
);

const title = optionalText.meta({ description: 'Plain text' });
const guid = z.string().meta({ description: 'The id of the entry in its feed, or its URL' });

export const TurnItem = z
  .object({ guid, title, url: optionalText })
  .meta({ id: 'TurnItem', description: 'An entry of a feed that a turn sends' });

const FeedItem = z
  .object({
    guid,
    title,
    url: optionalText,
    summary: optionalText.meta({ description: 'Plain text' }),
    html: optionalText.meta({ description: 'Cleaned HTML; null if it is too long' }),
    author: optionalText.meta({ description: 'The name of the author' }),
    image: optionalText.meta({ description: 'The address of its picture' }),
    publishedAt: optionalTimestamp.meta({ description: 'When it was published' }),
  })
  .meta({ id: 'FeedItem', description: 'An entry of a feed, as templates read it' });

export const FeedOutlook = z
  .object({
    title: optionalText.meta({ description: 'The title of the feed' }),
    items: z.array(FeedItem).meta({ description: 'The entries that the turn would send' }),
    skipReason: z.enum(['nothing_new', 'too_few_items']).nullable().meta({ description: 'Why the turn would be skipped' }),
    left: count.meta({ description: 'The number of new entries that would stay for later turns' }),
    error: optionalText.meta({ description: 'Why the feed could not be read' }),
  })
  .meta({ id: 'FeedOutlook', description: 'What the next turn would send if it were now' });

import type { ReactNode } from 'react';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import type { Feed } from './feed.ts';

const MOST_ITEMS = 20;

interface Props {
  readonly feed: Feed;
  readonly change: (feed: Feed) => void;
}

/** Chooses the feed whose new entries the turns of a recurring campaign send. */
export const FeedFields = ({ feed, change }: Props): ReactNode => (
  <>
    <TextField
      label="Feed"
      type="url"
      maxLength={2_048}
      hint="RSS, Atom or JSON Feed. The HTML lists its entries with {{#each feed.items}}. Empty: none"
      value={feed.url}
      change={(url) => change({ ...feed, url })}
    />
    {feed.url.trim() !== '' && (
      <>
        <TextField
          label="New entries needed for a turn"
          type="number"
          required
          min={1}
          max={MOST_ITEMS}
          step={1}
          value={feed.minItems}
          change={(minItems) => change({ ...feed, minItems })}
        />
        <TextField
          label="Most entries in a turn"
          type="number"
          required
          min={1}
          max={MOST_ITEMS}
          step={1}
          value={feed.maxItems}
          change={(maxItems) => change({ ...feed, maxItems })}
        />
        <ChoiceField
          label="Order of entries"
          value={feed.sort}
          change={(sort) => change({ ...feed, sort: sort as Feed['sort'] })}
          options={[
            ['newest', 'Newest first'],
            ['oldest', 'Oldest first'],
          ]}
        />
      </>
    )}
  </>
);

import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { useOutlook } from '../../parts/campaign/feed.ts';
import type { Fed } from '../../parts/campaign/feed.ts';
import { count } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { skippedWords } from '../../parts/reasons.ts';
import { Answer } from '../../parts/states.tsx';

const Item = ({ item: { title, url, guid } }: { readonly item: Schemas['TurnItem'] }): ReactNode =>
  url === null ? (
    (title ?? guid)
  ) : (
    <a href={url} target="_blank" rel="noreferrer">
      {title ?? url}
    </a>
  );

/** Lists entries of a feed. */
export const FeedItems = ({ items }: { readonly items: readonly Schemas['TurnItem'][] }): ReactNode => (
  <ul aria-label="Entries of the feed">
    {items.map((item) => (
      <li key={item.guid}>
        <Item item={item} />
      </li>
    ))}
  </ul>
);

const leftWords = (left: number): string => `${count(left)} more new ${left === 1 ? 'entry stays' : 'entries stay'} for later turns.`;

function Outlook({ outlook: { items, skipReason, left, error } }: { readonly outlook: Schemas['FeedOutlook'] }): ReactNode {
  if (error !== null) return <p className="notice">The feed could not be read: {error}</p>;
  if (skipReason !== null) return <p className="hint">The turn would be skipped: {skippedWords(skipReason)}.</p>;
  return (
    <>
      <FeedItems items={items} />
      {left > 0 && <p className="hint">{leftWords(left)}</p>}
    </>
  );
}

/** Shows what the next turn of a campaign would send of its feed if it were now. */
export function FeedOutlook({ campaign }: { readonly campaign: Fed }): ReactNode {
  const query = useOutlook(campaign);
  return (
    <Card title="New in the feed">
      <Answer query={query} what="the feed">
        {(outlook) => <Outlook outlook={outlook} />}
      </Answer>
    </Card>
  );
}

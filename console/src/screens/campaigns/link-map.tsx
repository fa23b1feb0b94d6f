import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { PreviewFrame } from '../../parts/message-frame.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Answer } from '../../parts/states.tsx';

type Campaign = Schemas['CampaignDetail'];
type LinkRow = Schemas['CampaignLink'];

/** Links that are read: the most clicked ones come first. */
const MOST = 200;

const LINK = /<a\b[^>]*?\shref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>[^]*?(?=<\/a\s*>)/gi;

const STYLE =
  '<style>mark[data-clicks]{display:inline-block;margin-left:4px;padding:1px 6px;border-radius:9px;background:#1d5f56;color:#fff;' +
  'font:600 12px/1.5 system-ui,sans-serif;text-decoration:none;white-space:nowrap}</style>';

/** Returns the share of the messages with a click in which a link was clicked. A message can have clicks on several links. */
export const shareOf = ({ uniqueClicks }: LinkRow, { clicked }: Pick<Campaign, 'clicked'>): string =>
  percent(clicked > 0 ? uniqueClicks / clicked : null);

/** Returns the source of a message with a badge in each link that was clicked. Not parsed as a document: the styles of a message break the page's policy. */
function withBadges(campaign: Campaign, links: readonly LinkRow[]): string {
  const linkOf = new Map(links.map((link) => [link.url, link]));
  const marked = campaign.body.replaceAll(LINK, (link: string, quoted: string | undefined, single: string | undefined) => {
    const row = linkOf.get((quoted ?? single ?? '').trim().replaceAll('&amp;', '&'));
    return row === undefined ? link : `${link}<mark data-clicks>${count(row.uniqueClicks)} · ${shareOf(row, campaign)}</mark>`;
  });
  return STYLE + marked;
}

/** Shows the message of a campaign with the unique clicks on each link, and their share. Links with a value in them are not marked. */
export function LinkMap({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { campaignId, clicked } = campaign;
  const links = useQuery({
    queryKey: ['campaigns', campaignId, 'link-map', clicked],
    queryFn: () => api.listCampaignLinks(campaignId).toArray(MOST),
  });
  return (
    <Answer query={links} what="the links">
      {(rows) =>
        rows.length > 0 && (
          <details>
            <summary>Show clicks on the message</summary>
            <PreviewFrame title="Message with clicks" html={withBadges(campaign, rows)} />
          </details>
        )
      }
    </Answer>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { given, useFilters } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { PreviewFrame } from '../../parts/message-frame.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { skippedWords } from '../../parts/reasons.ts';
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
const shareOf = ({ uniqueClicks }: LinkRow, { clicked }: Pick<Campaign, 'clicked'>): string =>
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
function LinkMap({ campaign }: { readonly campaign: Campaign }): ReactNode {
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

type Recipient = Schemas['CampaignRecipient'];
type Query = NonNullable<Parameters<typeof api.listCampaignRecipients>[1]>;

const STATUSES = [
  ['', 'Any'],
  ['pending', 'Pending'],
  ['sent', 'Sent'],
  ['skipped', 'Skipped'],
] as const;

const VARIANTS = { a: 'A', b: 'B', hold: 'Waiting for the winner' } as const;

const COLUMNS = [
  {
    name: 'Recipient',
    // The outcome is with the message; for a skipped contact, with the contact.
    show: ({ email, emailId, contactId }: Recipient) => {
      const to = emailId === null ? contactId && `/contacts/${contactId}` : `/mail/${emailId}`;
      return to ? (
        <Link to={to} className="row-link">
          {email}
        </Link>
      ) : (
        email
      );
    },
  },
  {
    name: 'Status',
    show: ({ status, skipReason, skipDetail }: Recipient) => (
      <>
        <Badge of={status} tone={status === 'sent' ? 'good' : 'warn'} />{' '}
        {skipReason !== null && <span className="reason">{skippedWords(skipReason, skipDetail)}</span>}
      </>
    ),
  },
  { name: 'Variant', show: ({ variant }: Recipient) => (variant === null ? '' : VARIANTS[variant]) },
];

/** Lists the recipients of a campaign, future ones and skipped contacts; each row links to the message's outcome. */
export function Recipients({ campaign: { campaignId, status, totalRecipients } }: { readonly campaign: Campaign }): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['recipients']);
  const query = given({ status: filters.recipients, limit: 50 }) as Query;
  return (
    <>
      <div className="filters">
        <ChoiceField label="Status" value={filters.recipients} change={(chosen) => setFilter('recipients', chosen)} options={STATUSES} />
      </div>
      <List
        caption="recipients"
        queryKey={['campaigns', campaignId, 'recipients', query, status, totalRecipients]}
        rows={() => api.listCampaignRecipients(campaignId, query)}
        idOf={({ campaignRecipientId }) => campaignRecipientId}
        columns={COLUMNS}
        empty={
          <p className="hint">
            {isFiltered ? 'No recipients with this status.' : 'Recipients are listed here after you send the campaign.'}
          </p>
        }
      />
    </>
  );
}

const linkColumns = (campaign: Campaign) => [
  // As text: the console leads nowhere that somebody else has written.
  { name: 'Link', show: ({ url }: LinkRow) => url, sortValue: ({ url }: LinkRow) => url },
  { name: 'Clicks', show: ({ clicks }: LinkRow) => count(clicks), sortValue: ({ clicks }: LinkRow) => clicks },
  {
    name: 'Unique clicks',
    show: ({ uniqueClicks }: LinkRow) => count(uniqueClicks),
    sortValue: ({ uniqueClicks }: LinkRow) => uniqueClicks,
  },
  { name: 'Share of clicked messages', show: (row: LinkRow) => shareOf(row, campaign) },
];

/** Shows which links of a campaign were clicked, how often, and in which share of the messages with a click. */
export const Links = ({ campaign }: { readonly campaign: Campaign }): ReactNode => (
  <>
    <List
      caption="links"
      queryKey={['campaigns', campaign.campaignId, 'links', campaign.clicked]}
      rows={() => api.listCampaignLinks(campaign.campaignId, { limit: 50 })}
      idOf={({ url }) => url}
      columns={linkColumns(campaign)}
      empty={<p className="hint">No clicks yet.</p>}
    />
    <LinkMap campaign={campaign} />
  </>
);

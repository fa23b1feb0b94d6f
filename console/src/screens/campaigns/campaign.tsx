import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { StandingChecks } from '../../parts/campaign/checks.tsx';
import { audienceFacts, envelopeFacts } from '../../parts/campaign/facts.tsx';
import { Message } from '../../parts/campaign/message.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { MAIL_VIEWS, OverTime } from '../../parts/over-time.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { windowWords } from '../../parts/windows.ts';
import { useMay } from '../../session/session.ts';
import { CampaignActions } from './actions.tsx';
import { BreakdownCard, audienceOf, useBreakdown } from './audience.tsx';
import { Certificate } from './certificate.tsx';
import { FeedOutlook } from './feed-outlook.tsx';
import { Figures } from './figures.tsx';
import { PlanOnDemand } from './plan.tsx';
import { Links, Recipients } from './recipients.tsx';
import { Rollout } from './rollout.tsx';
import { isSeries, scheduleWords } from './schedule.ts';
import { Series, Turns } from './series.tsx';
import { Variants } from './variants.tsx';

type Campaign = Schemas['CampaignDetail'];

const onceWords = ({ key, within }: NonNullable<Campaign['sendOnce']>): string =>
  within === undefined ? `${key} (once)` : `${key} (again after ${within})`;

const localWords = ({ at, fallback }: NonNullable<Campaign['localTime']>): string =>
  `${at.replace('T', ' ')} on each recipient’s clock (${fallback} if unknown)`;

type Facts = readonly (readonly [string, ReactNode])[];

const recurrenceFacts = ({ schedule, evergreen, feed }: Campaign): Facts => [
  ['Recurrence', schedule && scheduleWords(schedule)],
  ['Evergreen', evergreen && 'Each contact gets it once'],
  ['Feed', feed?.url],
];

/** Returns when a campaign goes out, how often and to whom not again; what it does not have is left out. */
function timingFacts(campaign: Campaign): Facts {
  const { scheduledFor, localTime, nextAt, windows, sendOnce, decide, turnOf } = campaign;
  return [
    ...recurrenceFacts(campaign),
    [
      'Recurring campaign',
      turnOf && (
        <Link key="series" to={`/campaigns/${turnOf.seriesId}`}>
          {`Turn ${turnOf.number}`}
        </Link>
      ),
    ],
    ['Send window', windows && windowWords(windows)],
    ['Local time', localTime && localWords(localTime)],
    ['Scheduled for', scheduledFor && <When key="scheduled" at={scheduledFor} />],
    ['Next recipients', nextAt && <When key="next" at={nextAt} />],
    ['A/B decision', decide && 'Once the campaign is resumed, if it is paused then'],
    ['Send-once key', sendOnce && onceWords(sendOnce)],
  ];
}

const LIVE_MS = 2_000;
const SERIES_MS = 5_000;
/** Messages that were sent are opened, clicked and bounced for days. */
const SENT_MS = 30_000;
const EVERY_MS: Readonly<Partial<Record<Campaign['status'], number>>> = { scheduled: 15_000, sent: SENT_MS, cancelled: SENT_MS };

/** Returns whether a turn of a series begins about now. */
const isTurnDue = ({ nextTurnAt }: Campaign): boolean => typeof nextTurnAt === 'string' && Date.parse(nextTurnAt) <= Date.now();

/** Returns the refresh interval of a campaign while its page is seen; false if it changes only by a person's action. */
const changesIn = (campaign: Campaign | undefined): number | false => {
  if (campaign?.status === 'sending') return isSeries(campaign) && !isTurnDue(campaign) ? SERIES_MS : LIVE_MS;
  return (campaign && EVERY_MS[campaign.status]) ?? false;
};

const isPlanned = ({ status }: Campaign): boolean => status === 'draft' || status === 'scheduled';

const Plan = ({ campaign }: { readonly campaign: Campaign }): ReactNode => (
  <Card title="Details" actions={<Badge of={campaign.status} />}>
    <Facts
      facts={[
        ...audienceFacts(campaign),
        ...envelopeFacts(campaign),
        ['Limit per minute', campaign.throttlePerMinute === null ? null : count(campaign.throttlePerMinute)],
        ...timingFacts(campaign),
        ['Sent', campaign.sentAt && <When key="sent" at={campaign.sentAt} />],
        [
          'Messages',
          !isPlanned(campaign) && !isSeries(campaign) && (
            <Link key="messages" to={`/mail?campaignId=${campaign.campaignId}`}>
              View in mail log
            </Link>
          ),
        ],
        ['Created', <When key="created" at={campaign.createdAt} />],
        ['Archived', campaign.archivedAt && <When key="archived" at={campaign.archivedAt} />],
        ['Test mode', campaign.testMode ? 'Recorded, not delivered' : null],
      ]}
    />
  </Card>
);

const Reached = ({ campaign }: { readonly campaign: Campaign }): ReactNode => (
  <BreakdownCard counting={useBreakdown(audienceOf(campaign))} />
);

// The skipped contacts are requested with the audience in a body, which a read-only key may not send.
function PlanOf({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const mayChange = useMay('change');
  return (
    <>
      <Plan campaign={campaign} />
      {isPlanned(campaign) && mayChange && <Reached campaign={campaign} />}
      {isPlanned(campaign) && <StandingChecks campaignId={campaign.campaignId} />}
      {campaign.status === 'scheduled' && mayChange && (
        <Card title="Plan by hour">
          <PlanOnDemand campaignId={campaign.campaignId} launch={() => ({})} />
        </Card>
      )}
    </>
  );
}

const Curves = ({ campaign: { campaignId, createdAt, sentAt } }: { readonly campaign: Campaign }): ReactNode => (
  <OverTime
    title="Results over time"
    views={MAIL_VIEWS}
    queryKey={['campaigns', campaignId]}
    fetch={(step) => api.getCampaignTimeline(campaignId, { step })}
    since={sentAt ?? createdAt}
    isLive
  />
);

const tabsOf = (campaign: Campaign, mayRender: boolean) => {
  const message = { name: 'Message', content: <Message campaign={campaign} mayRender={mayRender} /> };
  const feed = campaign.feed ? [{ name: 'Feed', content: <FeedOutlook campaign={campaign} /> }] : [];
  if (isPlanned(campaign)) return [message, ...feed];
  if (isSeries(campaign)) return [{ name: 'Turns', content: <Turns campaign={campaign} /> }, message, ...feed];
  return [
    { name: 'Recipients', content: <Recipients campaign={campaign} /> },
    { name: 'Links', content: <Links campaign={campaign} /> },
    { name: 'Certificate', content: <Certificate campaignId={campaign.campaignId} /> },
    message,
  ];
};

/** Shows one campaign: what is planned, how far it is, and what came of it. */
export function CampaignPage(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: ['campaigns', id],
    queryFn: () => api.getCampaign(id),
    refetchInterval: ({ state }) => changesIn(state.data),
  });
  const mayRender = useMay('change');
  const under = { label: 'Campaigns', to: '/campaigns' };
  return (
    <Answer query={query} what="the campaign">
      {(campaign) => (
        <Page title={campaign.name} under={under} actions={<CampaignActions campaign={campaign} />}>
          {!isSeries(campaign) && <Figures campaign={campaign} asOf={query.dataUpdatedAt} />}
          {!isSeries(campaign) && !isPlanned(campaign) && <Curves campaign={campaign} />}
          <div className="columns">
            <div>
              {isSeries(campaign) && <Series campaign={campaign} />}
              <Rollout campaign={campaign} />
              <PlanOf campaign={campaign} />
              {!isSeries(campaign) && <Variants campaign={campaign} />}
            </div>
            {/* What can be seen changes as soon as it is sent: the first view is then another one. */}
            <Tabs key={String(isPlanned(campaign))} label="Campaign views" tabs={tabsOf(campaign, mayRender)} />
          </div>
        </Page>
      )}
    </Answer>
  );
}

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { Faults } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts } from '../../parts/page.tsx';
import { skippedWords } from '../../parts/reasons.ts';
import { say } from '../../parts/toasts/store.ts';
import { useMay } from '../../session/session.ts';
import { FeedItems } from './feed-outlook.tsx';
import { Held } from './figures.tsx';

type Campaign = Schemas['CampaignDetail'];
type Turn = Schemas['CampaignTurn'];

interface Of {
  readonly campaign: Campaign;
}

/** Answers what happens to missed turns, for a series that waits for it. */
function MissedTurns({ campaign: { campaignId } }: Of): ReactNode {
  const changed = useChanged('campaigns');
  const answering = useMutation({
    mutationFn: (missed: 'latest' | 'skip') => api.resumeCampaign(campaignId, { missed }),
    onSuccess: (_campaign, missed) => {
      changed();
      say(missed === 'latest' ? 'Latest missed turn started.' : 'Missed turns skipped.');
    },
  });
  return (
    <>
      <div className="actions">
        <button type="button" disabled={answering.isPending} onClick={() => answering.mutate('latest')}>
          Send latest missed turn
        </button>
        <button type="button" disabled={answering.isPending} onClick={() => answering.mutate('skip')}>
          Skip missed turns
        </button>
      </div>
      <Faults error={answering.error} />
    </>
  );
}

const CATCH_UP = { latest: 'The latest one is sent', skip: 'All are skipped', ask: 'Wait for your answer' } as const;

/** Shows where a recurring campaign is: its next turn, and what holds it. */
export function Series({ campaign }: Of): ReactNode {
  const mayChange = useMay('change');
  const { schedule, nextTurnAt, turns = 0, heldReason } = campaign;
  return (
    <Card title="Recurring campaign">
      <Held heldReason={heldReason} />
      <Facts
        facts={[
          ['Next turn', nextTurnAt ? <When key="next" at={nextTurnAt} /> : 'None'],
          ['Turns so far', schedule?.count ? `${count(turns)} of ${count(schedule.count)}` : count(turns)],
          ['Last turn until', schedule?.until && <When key="until" at={schedule.until} />],
          ['Missed turns', schedule && CATCH_UP[schedule.catchUp]],
        ]}
      />
      {heldReason === 'missed_turns' && mayChange && <MissedTurns campaign={campaign} />}
    </Card>
  );
}

const turnSkipped = (reason: string, detail?: string): string =>
  detail === undefined ? skippedWords(reason) : `${skippedWords(reason)} (${detail})`;

const COLUMNS = [
  {
    name: 'Turn',
    show: ({ number, at, campaignId, status }: Turn) => (
      <>
        {campaignId === null || status === 'deleted' ? (
          `Turn ${count(number)}`
        ) : (
          <Link to={`/campaigns/${campaignId}`} className="row-link">
            {`Turn ${count(number)}`}
          </Link>
        )}
        , <When at={at} />
      </>
    ),
  },
  {
    name: 'Status',
    show: ({ status, skipReason, skipDetail, items }: Turn) => (
      <>
        <Badge of={status} /> {skipReason !== null && <span className="reason">{turnSkipped(skipReason, skipDetail)}</span>}
        {items && <FeedItems items={items} />}
      </>
    ),
  },
  { name: 'Recipients', show: ({ campaignId, totalRecipients }: Turn) => (campaignId === null ? '' : count(totalRecipients)) },
];

const LIVE_MS = 5_000;

/** Lists the turns of a recurring campaign, newest first; each one that was not skipped is a campaign. */
export const Turns = ({ campaign: { campaignId, turns, status } }: Of): ReactNode => (
  <List
    caption="turns"
    queryKey={['campaigns', campaignId, 'turns', turns, status]}
    rows={() => api.listCampaignTurns(campaignId, { limit: 50 })}
    idOf={({ number }) => String(number)}
    columns={COLUMNS}
    changesIn={(rows) => rows.some((turn) => turn.status === 'sending') && LIVE_MS}
    empty={<p className="hint">No turns yet.</p>}
  />
);

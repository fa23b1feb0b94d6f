import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Curves } from '../../parts/curves.tsx';
import { AsOf } from '../../parts/dates.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { useFilters } from '../../parts/filters.ts';
import { count, percent } from '../../parts/numbers.ts';
import { Card, Page } from '../../parts/page.tsx';
import { Answer, Loading, Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Usage } from '../../parts/usage.tsx';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { Held } from './held.tsx';
import { StandingStill } from './standing-still.tsx';

const WINDOWS = [
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['all', 'All time'],
] as const;

interface ReputationProps {
  readonly reputation: Schemas['Billing']['reputation'];
  readonly reason: string | null;
}

/** Shows the reputation of a sender with these bounces and complaints. */
const Reputation = ({ reputation, reason }: ReputationProps): ReactNode => (
  <Card title="Reputation" actions={<Badge of={reputation.state} />}>
    {reason !== null && <p className="notice">{reason}</p>}
    <Table label="Reputation by time window" columns={['Window', 'Sent', 'Bounces', 'Complaints', 'Status']}>
      {WINDOWS.map(([name, label]) => {
        const { sent, bounceRate, complaintRate, state } = reputation.windows[name];
        return (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td>{count(sent)}</td>
            <td>{percent(bounceRate)}</td>
            <td>{percent(complaintRate)}</td>
            <td>
              <Badge of={state} />
            </td>
          </tr>
        );
      })}
    </Table>
  </Card>
);

/** The curves of the chart, each in a color of its own. */
const SERIES = [
  { name: 'sent', label: 'Sent', colour: '--series-2', as: 'bar' },
  { name: 'delivered', label: 'Delivered', colour: '--series-1', as: 'bar' },
  { name: 'opened', label: 'Opened', colour: '--series-5' },
  { name: 'clicked', label: 'Clicked', colour: '--series-6' },
  { name: 'bounced', label: 'Bounced', colour: '--series-3' },
  { name: 'complained', label: 'Complained', colour: '--series-4' },
] as const;

interface ChartProps {
  readonly series: Schemas['Stats']['series'];
  readonly interval: 'hour' | 'day';
}

/** Shows the project's mail over time. */
const Chart = ({ series, interval }: ChartProps): ReactNode => (
  <Curves
    label="Mail over time, as a table"
    curves={SERIES}
    points={series}
    step={interval}
    empty={
      <Empty title="No mail in this period">
        <p>Send a message to see it here, or choose a longer period.</p>
      </Empty>
    }
  />
);

const LIVE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SPANS = {
  day: { label: 'Last 24 hours', ms: 24 * HOUR_MS, interval: 'hour' },
  week: { label: 'Last 7 days', ms: 7 * 24 * HOUR_MS, interval: 'day' },
  month: { label: 'Last 30 days', ms: 30 * 24 * HOUR_MS, interval: 'day' },
} as const;
type Span = keyof typeof SPANS;

/** The rate of each figure. */
const RATES = {
  sent: null,
  delivered: 'delivery',
  opened: 'open',
  clicked: 'click',
  bounced: 'bounce',
  complained: 'complaint',
} as const;

const statsOf = (end: number, ms: number, interval: 'hour' | 'day') =>
  api.getStats({ from: new Date(end - ms).toISOString(), to: new Date(end).toISOString(), interval });

interface ChangeProps {
  readonly now: number;
  /** Undefined until both periods are fetched. */
  readonly before: number | undefined;
}

/** Says what the figure was in the period before. Its line is there before it is known, so nothing moves. */
const Change = ({ now, before }: ChangeProps): ReactNode => (
  <span className="change">{before === undefined ? '\u00a0' : before === now ? 'Same as before' : `${count(before)} before`}</span>
);

/** Shows the state of sending: what was sent and with which results, what endangers it, and what is on hold or stalled. */
export function Today(): ReactNode {
  const { filters, setFilter } = useFilters(['span']);
  const span: Span = filters.span in SPANS ? (filters.span as Span) : 'week';
  const { ms, interval } = SPANS[span];
  const steps = useFirstSteps();
  const stats = useQuery({
    queryKey: ['stats', span],
    queryFn: () => statsOf(Date.now(), ms, interval),
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
  const before = useQuery({
    queryKey: ['stats', span, 'before'],
    queryFn: () => statsOf(Date.now() - ms, ms, interval),
    refetchInterval: LIVE_MS,
  });
  const billing = useQuery({ queryKey: ['billing'], queryFn: () => api.getBilling(), refetchInterval: LIVE_MS });
  // What comes later would push down what is below it.
  if (!steps.isKnown || stats.isPending || billing.isPending) return <Loading what="the start page" />;
  return (
    <Page
      title="Home"
      actions={
        <ChoiceField
          label="Period"
          value={span}
          change={(chosen) => setFilter('span', chosen)}
          options={Object.entries(SPANS).map(([name, { label }]) => [name, label])}
        />
      }
    >
      <StandingStill />
      {billing.data && <Held billing={billing.data} />}
      {steps.done && <FirstSteps done={steps.done} hide={steps.hide} />}
      <Answer query={stats} what="statistics">
        {({ totals, rates, series, interval: step }) => (
          <div className={stats.isPlaceholderData ? 'stale' : undefined} aria-busy={stats.isPlaceholderData}>
            <dl className="tiles">
              {SERIES.map(({ name, label }) => {
                const rate = RATES[name];
                return (
                  <div key={name} className="tile">
                    <dt>{label}</dt>
                    <dd>
                      {count(totals[name])} {rate !== null && <span className="hint">{percent(rates[rate])}</span>}
                      <Change now={totals[name]} before={stats.isPlaceholderData ? undefined : before.data?.totals[name]} />
                    </dd>
                  </div>
                );
              })}
            </dl>
            <AsOf at={stats.dataUpdatedAt} />
            <Card title="Mail over time">
              <Chart series={series} interval={step === 'hour' ? 'hour' : 'day'} />
            </Card>
          </div>
        )}
      </Answer>
      <Answer query={billing} what="usage and reputation">
        {(data) => (
          <div className="split">
            <Reputation reputation={data.reputation} reason={data.reputationReason} />
            <Usage billing={data} />
          </div>
        )}
      </Answer>
    </Page>
  );
}

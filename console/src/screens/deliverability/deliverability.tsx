import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import { AsOf } from '../../parts/dates.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { useFilters } from '../../parts/filters.ts';
import { Page } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { Held } from './held.tsx';
import { Providers } from './providers.tsx';
import { Transports } from './transports.tsx';

const LIVE_MS = 60_000;
const PERIODS = { 1: 'Last 24 hours', 7: 'Last 7 days', 30: 'Last 30 days' } as const;

const read = async (days: number) => {
  const [{ providers }, { transports }] = await Promise.all([api.listProviders({ days }), api.listTransports({ days })]);
  return { providers, transports };
};

/** Shows how providers take the project's mail, what is held for them and why, and the transports that it goes over. */
export function Deliverability(): ReactNode {
  const { filters, setFilter } = useFilters(['days']);
  const days = filters.days in PERIODS ? filters.days : '7';
  const query = useQuery({
    queryKey: ['deliverability', days],
    queryFn: () => read(Number(days)),
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Deliverability">
      <Answer query={query} what="deliverability">
        {({ providers, transports }) => (
          <>
            <div className="filters">
              <ChoiceField label="Period" value={days} change={(chosen) => setFilter('days', chosen)} options={Object.entries(PERIODS)} />
            </div>
            <div className={query.isPlaceholderData ? 'stale' : undefined} aria-busy={query.isPlaceholderData}>
              <Held providers={providers} />
              {providers.length === 0 ? (
                <Empty title="No mail in this period" next={{ label: 'Set up a domain', to: '/domains' }}>
                  <p>Gmail, Microsoft and other providers appear here once you send mail. They accept mail that your domain signs.</p>
                </Empty>
              ) : (
                <Providers providers={providers} />
              )}
              <Transports transports={transports} />
              <AsOf at={query.dataUpdatedAt} />
            </div>
          </>
        )}
      </Answer>
    </Page>
  );
}

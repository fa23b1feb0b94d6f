import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { AsOf, When } from '../../parts/dates.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { useFilters } from '../../parts/filters.ts';
import { HeldFor } from '../../parts/held-for.tsx';
import { counted, count, percent } from '../../parts/numbers.ts';
import { Page, Card } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Transports } from './transports.tsx';

type Provider = Schemas['ProviderFigures'];

const COLUMNS = ['Provider', 'Sent', 'Delivered', 'Waiting to retry', 'Bounced', 'Policy refusals', 'Complaints', 'Last replies'];

const Replies = ({ replies }: Pick<Provider, 'replies'>): ReactNode =>
  replies.length === 0 ? (
    '–'
  ) : (
    <details>
      <summary>{count(replies.length)}</summary>
      <ul className="reason">
        {replies.map(({ reply, count: times }) => (
          <li key={reply}>
            {count(times)} × {reply}
          </li>
        ))}
      </ul>
    </details>
  );

const Row = ({ of }: { readonly of: Provider }): ReactNode => (
  <tr>
    <th scope="row">
      {of.provider} {of.hold !== null && <Badge of="campaigns held" tone="bad" />}{' '}
      {of.measures.length > 0 && (
        <Badge of={of.measures.some(({ do: what }) => what === 'suspend') ? 'suspended' : 'slowed down'} tone="warn" />
      )}
    </th>
    <td>{count(of.sent)}</td>
    <td>{count(of.delivered)}</td>
    <td>{count(of.deferred)}</td>
    <td>{count(of.bounced)}</td>
    <td>{count(of.policyRefusals)}</td>
    <td>{percent(of.complaintRate)}</td>
    <td>
      <Replies replies={of.replies} />
    </td>
  </tr>
);

/** Shows the outcome of the mail to each provider. */
const Providers = ({ providers }: { readonly providers: readonly Provider[] }): ReactNode => (
  <Card title="Providers">
    <Table label="Mail by provider" columns={COLUMNS}>
      {providers.map((one) => (
        <Row key={one.provider} of={one} />
      ))}
    </Table>
    <p className="hint">Complaints are a share of delivered mail. Keep them below 0.1 %: above 0.3 %, Gmail and Yahoo refuse mail.</p>
  </Card>
);

const Measure = ({ provider, measure: { do: what, until, perMinute = 0 } }: MeasureProps): ReactNode => (
  <section className="notice" aria-label={`Limited for ${provider}`}>
    <p>
      {what === 'suspend' ? 'No mail goes to ' : `Each worker sends at most ${counted(perMinute, 'message')} a minute to `}
      <strong>{provider}</strong> until <When at={until} />, because of its replies. The mail waits; waiting uses no attempts.
    </p>
    <p>It ends automatically. If the cause is gone, ask an operator to end it.</p>
  </section>
);

interface MeasureProps {
  readonly provider: string;
  readonly measure: Provider['measures'][number];
}

/** Shows for which providers mail is held or limited: why, since when or until when, and what to do. */
const Held = ({ providers }: { readonly providers: readonly Provider[] }): ReactNode =>
  providers.map(({ provider, hold, measures }) => (
    <div key={provider}>
      {hold !== null && (
        <HeldFor
          provider={provider}
          hold={hold}
          says={
            <>
              , and campaigns have been held for it since <When at={hold.since} />
            </>
          }
        >
          <p>
            Do that, then wait for the check. Or resume one of the <Link to="/campaigns">campaigns</Link> to try at once.
          </p>
        </HeldFor>
      )}
      {measures.map((measure) => (
        <Measure key={`${measure.do} ${measure.until}`} provider={provider} measure={measure} />
      ))}
    </div>
  ));

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

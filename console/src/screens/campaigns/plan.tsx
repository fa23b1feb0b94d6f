import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { Faults } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { plannedWords } from '../../parts/reasons.ts';
import { Table } from '../../parts/table.tsx';
import { barsOf } from './plan-bars.ts';
import './plan.css';

type Plan = Schemas['CampaignPlan'];

const WIDTH = 480;
const HEIGHT = 120;

/** Shows the plan as bars; the table next to it says the same. */
const Bars = ({ hours }: Pick<Plan, 'hours'>): ReactNode => (
  <svg className="plan-bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
    {barsOf(hours, WIDTH, HEIGHT).map(({ hour, ...bar }) => (
      <rect key={hour} {...bar} />
    ))}
  </svg>
);

const zonesOf = (zones: Plan['hours'][number]['zones']): string =>
  zones.map(({ timezone, count: some }) => `${timezone} ${count(some)}`).join(', ');

const ByHour = ({ hours }: Pick<Plan, 'hours'>): ReactNode => (
  <details>
    <summary>Show as a table</summary>
    <Table label="Recipients by hour" columns={['Hour', 'Recipients', 'Time zones']}>
      {hours.map(({ hour, count: some, zones }) => (
        <tr key={hour}>
          <th scope="row">
            <When at={hour} />
          </th>
          <td>{count(some)}</td>
          <td>{zonesOf(zones)}</td>
        </tr>
      ))}
    </Table>
  </details>
);

const Never = ({ never }: Pick<Plan, 'never'>): ReactNode =>
  never.length > 0 && (
    <>
      <p className="hint">Skipped:</p>
      <ul>
        {never.map(({ reason, detail, count: some }) => (
          <li key={`${reason} ${detail}`}>
            {count(some)}: {plannedWords(reason, detail)}
          </li>
        ))}
      </ul>
    </>
  );

/** Returns the instant at which the first recipients have their turn: with local times, later than the start. */
const firstOf = (hours: Plan['hours']): string | undefined =>
  hours
    .flatMap(({ zones }) => zones.map(({ at }) => at))
    .toSorted()
    .at(0);

const Shown = ({ plan: { lastAt, recipients, hours, fallback, late, never } }: { readonly plan: Plan }): ReactNode => (
  <div className="plan">
    <p role="status">
      {recipients === 0 ? (
        'No one would get it.'
      ) : (
        <>
          {count(recipients)} {recipients === 1 ? 'recipient' : 'recipients'}, <When at={firstOf(hours)} /> to <When at={lastAt} />
        </>
      )}
    </p>
    {hours.length > 0 && (
      <>
        <Bars hours={hours} />
        <ByHour hours={hours} />
      </>
    )}
    {fallback > 0 && <p>{count(fallback)} without a known time zone</p>}
    {late > 0 && <p>{count(late)} wait for the next window, because of the limit per minute</p>}
    <Never never={never} />
  </div>
);

interface Props {
  readonly campaignId: string;
  /** The launch that is planned. Throws if it is not complete. */
  readonly launch: () => Schemas['PlanCampaignRequest'];
}

/** Shows on demand who gets a campaign when, and who never does. Asking changes nothing. */
export function PlanOnDemand({ campaignId, launch }: Props): ReactNode {
  const asking = useMutation({ mutationFn: async () => api.planCampaign(campaignId, launch()) });
  return (
    <div>
      <button type="button" disabled={asking.isPending} onClick={() => asking.mutate()}>
        Show plan
      </button>
      <Faults error={asking.error} />
      {asking.data && <Shown plan={asking.data} />}
    </div>
  );
}

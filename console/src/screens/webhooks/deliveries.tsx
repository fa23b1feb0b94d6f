import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { given, useFilters } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { milliseconds } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

type Delivery = Schemas['Delivery'];
type Query = NonNullable<Parameters<typeof api.listDeliveries>[1]>;

const Replay = ({ row: { webhookId, deliveryId, eventName } }: { readonly row: Delivery }): ReactNode => (
  <ActionButton
    label="Replay"
    description={`Replay ${eventName}`}
    act={() => api.replayDelivery(webhookId, deliveryId)}
    done={useChanged('deliveries', webhookId)}
    said={`${eventName} queued.`}
  />
);

/** Shows the answer of the webhook's server, or why there is none. */
const Response = ({ row: { responseStatus, responseBody, error } }: { readonly row: Delivery }): ReactNode => (
  <>
    {responseStatus ?? error ?? '–'}
    {responseBody !== null && responseBody !== '' && (
      <details>
        <summary>Response</summary>
        <pre tabIndex={0}>{responseBody}</pre>
      </details>
    )}
  </>
);

const COLUMNS = [
  {
    name: 'Event',
    show: ({ webhookId, deliveryId, eventName, replayOf }: Delivery) => (
      <Link to={`/webhooks/${webhookId}/deliveries/${deliveryId}`} className="row-link">
        {eventName}
        {replayOf !== null && ' (replayed)'}
      </Link>
    ),
  },
  { name: 'Status', show: ({ status }: Delivery) => <Badge of={status} /> },
  { name: 'Time', show: ({ latencyMs }: Delivery) => milliseconds(latencyMs) },
  { name: 'Response', show: (row: Delivery) => <Response row={row} /> },
  {
    name: 'Attempts',
    show: ({ attempts, nextAttemptAt }: Delivery) => (
      <>
        {attempts}{' '}
        {nextAttemptAt !== null && (
          <span className="hint">
            next attempt <When at={nextAttemptAt} />
          </span>
        )}
      </>
    ),
  },
  { name: 'Created', show: ({ createdAt }: Delivery) => <When at={createdAt} /> },
];
const LIVE_MS = 3_000;
const REPLAY = { name: 'Action', show: (row: Delivery) => <Replay row={row} /> };

/** Shows every call of a webhook, newest first. */
export function Deliveries({ webhookId }: { readonly webhookId: string }): ReactNode {
  const { filters, setFilter } = useFilters(['status']);
  const mayChange = useMay('manage');
  const query = given(filters) as Query;
  return (
    <Card title="Deliveries">
      <div className="filters">
        <ChoiceField
          label="Status"
          value={filters.status}
          change={(status) => setFilter('status', status)}
          options={[
            ['', 'Any'],
            ['pending', 'Pending'],
            ['succeeded', 'Succeeded'],
            ['failed', 'Failed'],
          ]}
        />
      </div>
      <List
        caption="deliveries"
        queryKey={['deliveries', webhookId, query]}
        rows={() => api.listDeliveries(webhookId, query)}
        idOf={({ deliveryId }) => deliveryId}
        changesIn={(rows) => (rows.some(({ status }) => status === 'pending') ? LIVE_MS : false)}
        columns={mayChange ? [...COLUMNS, REPLAY] : COLUMNS}
        empty={
          <Empty title="No deliveries yet">
            <p>Each call to your server is listed here. Send a test event to see the first one.</p>
          </Empty>
        }
      />
    </Card>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { count, milliseconds } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';

type Delivery = Schemas['WholeDelivery'];

const Attempts = ({ delivery: { tried, attempts } }: { readonly delivery: Delivery }): ReactNode => (
  <Card title="Attempts">
    {tried.length < attempts && <p className="hint">Attempts made before Lettermill kept them are missing.</p>}
    <Table label="Attempts, as a table" columns={['Attempt', 'Status', 'Time', 'Error', 'Ended']}>
      {tried.map(({ at, responseStatus, latencyMs, error }, index) => (
        <tr key={at}>
          <td>{count(attempts - tried.length + index + 1)}</td>
          <td>{responseStatus ?? '–'}</td>
          <td>{milliseconds(latencyMs)}</td>
          <td>{error ?? ''}</td>
          <td>
            <When at={at} />
          </td>
        </tr>
      ))}
    </Table>
  </Card>
);

/** Returns JSON with indents; what is none as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

const Text = ({ title, text, none }: { readonly title: string; readonly text: string | null; readonly none: string }): ReactNode => (
  <Card title={title}>{text ? <pre tabIndex={0}>{text}</pre> : <p className="hint">{none}</p>}</Card>
);

/** Shows one delivery: its attempts, what was sent, and what the server answered. */
export function DeliveryPage(): ReactNode {
  const { id = '', deliveryId = '' } = useParams();
  const query = useQuery({ queryKey: ['deliveries', id, deliveryId], queryFn: () => api.getDelivery(id, deliveryId) });
  return (
    <Page title="Delivery" under={{ label: 'Webhook', to: `/webhooks/${id}` }}>
      <Answer query={query} what="the delivery">
        {(delivery) => (
          <>
            <Card title={delivery.eventName} actions={<Badge of={delivery.status} />}>
              <Facts
                facts={[
                  ['Event', delivery.eventId],
                  ['Event number', count(delivery.sequence)],
                  ['Attempts', count(delivery.attempts)],
                  ['Time of the last attempt', milliseconds(delivery.latencyMs)],
                  ['Last status', delivery.responseStatus ?? delivery.error ?? '–'],
                  ['Next attempt', delivery.nextAttemptAt && <When key="next" at={delivery.nextAttemptAt} />],
                  ['Created', <When key="created" at={delivery.createdAt} />],
                ]}
              />
            </Card>
            {delivery.attempts > 0 && <Attempts delivery={delivery} />}
            <Text title="Request body" text={delivery.body && indented(delivery.body)} none="Deleted with its contact." />
            <Text title="Response body" text={delivery.responseBody} none="No response body." />
          </>
        )}
      </Answer>
    </Page>
  );
}

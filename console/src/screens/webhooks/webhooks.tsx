import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { WebhookForm } from './webhook-form.tsx';

type Webhook = Schemas['Webhook'];

const COLUMNS = [
  {
    name: 'URL',
    show: ({ webhookId, url }: Webhook) => (
      <Link to={`/webhooks/${webhookId}`} className="row-link">
        {url}
      </Link>
    ),
  },
  { name: 'Description', show: ({ description }: Webhook) => description ?? '' },
  { name: 'Events', show: ({ events }: Webhook) => events.join(', ') },
  {
    name: 'Status',
    show: ({ enabled, disabledReason }: Webhook) => (
      <Badge of={enabled ? 'active' : (disabledReason ?? 'disabled')} tone={enabled ? 'good' : 'warn'} />
    ),
  },
  { name: 'Created', show: ({ createdAt }: Webhook) => <When at={createdAt} />, sortValue: ({ createdAt }: Webhook) => createdAt },
];

/** Shows your URLs that are called when something happens. */
export function Webhooks(): ReactNode {
  const mayChange = useMay('manage');
  const changed = useChanged('webhooks');
  return (
    <Page title="Webhooks" actions={mayChange && <WebhookForm webhook={null} done={changed} />}>
      <List
        caption="webhooks"
        queryKey={['webhooks']}
        rows={() => api.listWebhooks()}
        idOf={({ webhookId }) => webhookId}
        columns={COLUMNS}
        empty={
          <Empty title="No webhooks yet">
            <p>A webhook sends events to your server. Add the URL of an endpoint and choose its events.</p>
          </Empty>
        }
      />
    </Page>
  );
}

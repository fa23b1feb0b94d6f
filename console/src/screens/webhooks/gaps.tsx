import type { ReactNode } from 'react';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

type Gap = Schemas['WebhookGap'];

const COLUMNS = [
  { name: 'Number', show: ({ sequence }: Gap) => count(sequence) },
  { name: 'Event', show: ({ name }: Gap) => name },
  { name: 'Status', show: ({ status }: Gap) => <Badge of={status} /> },
  { name: 'Attempts', show: ({ attempts }: Gap) => count(attempts) },
  { name: 'Received', show: ({ at }: Gap) => <When at={at} /> },
];

/** Deliveries are kept for this long. */
const KEPT_MS = 30 * 86_400_000;

/** Queues all failed deliveries again; pending ones stay as they are. */
function ReplayFailed({ webhookId }: { readonly webhookId: string }): ReactNode {
  const gapsChanged = useChanged('gaps', webhookId);
  const deliveriesChanged = useChanged('deliveries', webhookId);
  const act = () => {
    const now = Date.now();
    return api.replayWebhook(webhookId, { from: new Date(now - KEPT_MS).toISOString(), to: new Date(now + 60_000).toISOString() });
  };
  const done = (): void => {
    gapsChanged();
    deliveriesChanged();
  };
  return (
    <ActionButton label="Replay failed deliveries" act={act} done={done} said={({ replayed }) => `Deliveries queued: ${count(replayed)}`} />
  );
}

/** Shows every event that a webhook's server has not received, newest first, with a button to deliver what failed again. */
export function Gaps({ webhookId, enabled }: Pick<Schemas['Webhook'], 'webhookId' | 'enabled'>): ReactNode {
  const mayChange = useMay('manage');
  return (
    <Card title="Missed events" actions={mayChange && enabled && <ReplayFailed webhookId={webhookId} />}>
      <List
        caption="missed events"
        queryKey={['gaps', webhookId]}
        rows={() => api.listWebhookGaps(webhookId, {})}
        idOf={({ deliveryId }) => deliveryId}
        columns={COLUMNS}
        empty={
          <Empty title="No missed events">
            <p>Your server received every event of the last 30 days.</p>
          </Empty>
        }
      />
    </Card>
  );
}

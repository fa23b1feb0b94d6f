import { useQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useParams } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api, verifyWebhook } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged, useDeleted } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { AreaField, TextField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer, NotThere, Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { Deliveries } from './deliveries.tsx';
import { SecretDialog, WebhookForm } from './webhook-form.tsx';

type Gap = Schemas['WebhookGap'];

const GAP_COLUMNS = [
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
function Gaps({ webhookId, enabled }: Pick<Schemas['Webhook'], 'webhookId' | 'enabled'>): ReactNode {
  const mayChange = useMay('manage');
  return (
    <Card title="Missed events" actions={mayChange && enabled && <ReplayFailed webhookId={webhookId} />}>
      <List
        caption="missed events"
        queryKey={['gaps', webhookId]}
        rows={() => api.listWebhookGaps(webhookId, {})}
        idOf={({ deliveryId }) => deliveryId}
        columns={GAP_COLUMNS}
        empty={
          <Empty title="No missed events">
            <p>Your server received every event of the last 30 days.</p>
          </Empty>
        }
      />
    </Card>
  );
}

const HEADER = 'X-Service-Signature';

/** Says whether a call that a server has got is signed with a secret. All of it happens in this browser. */
function SignatureCheck(): ReactNode {
  const [signature, setSignature] = useState('');
  const [body, setBody] = useState('');
  const [secret, setSecret] = useState('');
  const checking = useMutation({
    // Accepts old calls too: a person checks what a server has stored.
    mutationFn: () =>
      verifyWebhook({ body, headers: { [HEADER]: signature.trim() }, secret: secret.trim(), toleranceSeconds: Number.POSITIVE_INFINITY }),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    checking.mutate();
  };
  return (
    <details className="card">
      <summary>Check a signature</summary>
      <form onSubmit={submit}>
        <TextField label={HEADER} required value={signature} change={setSignature} placeholder="t=…,v1=…" />
        <AreaField label="Raw body" code rows={4} required value={body} change={setBody} />
        <TextField
          label="Secret"
          type="password"
          autoComplete="off"
          required
          value={secret}
          change={setSecret}
          hint="The secret stays in this page. It is not sent anywhere."
        />
        <Faults error={checking.error} />
        <div aria-live="polite">{checking.isSuccess && <p className="notice good">The signature is valid for this secret.</p>}</div>
        <button type="submit" className="primary" disabled={checking.isPending}>
          Check signature
        </button>
      </form>
    </details>
  );
}

type Webhook = Schemas['Webhook'];

const DISABLED = {
  failing: 'This webhook was disabled because its calls kept failing. Fix your server, then enable the webhook.',
  gone: 'This webhook was disabled because your server answered 410 Gone. To use it again, enable it.',
} as const;

/** Sends a test event to the endpoint; the call is then in the list below. */
const TestButton = ({ webhookId }: { readonly webhookId: string }): ReactNode => (
  <ActionButton
    label="Send test event"
    act={() => api.testWebhook(webhookId)}
    done={useChanged('deliveries', webhookId)}
    said="Test event queued."
  />
);

function Actions({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { webhookId, enabled } = webhook;
  const [secret, setSecret] = useState<string | null>(null);
  const changed = useChanged('webhooks');
  return (
    <>
      {enabled && <TestButton webhookId={webhookId} />}
      <ActionButton
        label={enabled ? 'Disable webhook' : 'Enable webhook'}
        act={() => api.updateWebhook(webhookId, { enabled: !enabled })}
        done={changed}
        said={enabled ? 'Webhook disabled.' : 'Webhook enabled.'}
      />
      <WebhookForm webhook={webhook} done={changed} />
      <Confirm
        label="Rotate secret"
        title="Rotate the signing secret?"
        act={async () => setSecret((await api.updateWebhook(webhookId, { rotateSecret: true })).secret ?? null)}
      >
        This creates a new secret. For one day, calls are signed with both secrets, so you can update your server.
      </Confirm>
      <Confirm
        label="Remove webhook"
        title="Remove this webhook?"
        danger
        act={() => api.deleteWebhook(webhookId)}
        done={useDeleted('webhooks')}
        said="Webhook removed."
      >
        {webhook.url} gets no more calls. Its delivery history is deleted. You cannot undo this.
      </Confirm>
      <SecretDialog secret={secret} close={() => setSecret(null)} />
    </>
  );
}

function Shown({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const mayChange = useMay('manage');
  return (
    <Page title={webhook.url} under={{ label: 'Webhooks', to: '/webhooks' }} actions={mayChange && <Actions webhook={webhook} />}>
      {webhook.disabledReason !== null && <p className="notice">{DISABLED[webhook.disabledReason]}</p>}
      <Card title="Configuration" actions={<Badge of={webhook.enabled ? 'active' : 'disabled'} />}>
        <Facts
          facts={[
            ['Description', webhook.description],
            ['Events', webhook.events.join(', ')],
            ['Last event number', webhook.sequence === undefined ? '–' : count(webhook.sequence)],
            ['Added', <When key="added" at={webhook.createdAt} />],
          ]}
        />
      </Card>
      <Gaps webhookId={webhook.webhookId} enabled={webhook.enabled} />
      <Deliveries webhookId={webhook.webhookId} />
      <SignatureCheck />
    </Page>
  );
}

/** Shows one webhook: what it is called for, and every call. */
export function WebhookPage(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: ['webhooks', 'all'], queryFn: () => api.listWebhooks().toArray() });
  return (
    <Answer query={query} what="the webhook">
      {(webhooks) => {
        const webhook = webhooks.find(({ webhookId }) => webhookId === id);
        return webhook ? <Shown webhook={webhook} /> : <NotThere what="Webhook" />;
      }}
    </Answer>
  );
}

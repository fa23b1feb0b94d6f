import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged, useDeleted } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer, NotThere } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { Deliveries } from './deliveries.tsx';
import { Gaps } from './gaps.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { SecretDialog, WebhookForm } from './webhook-form.tsx';

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

import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { EventsField, isOfSystem } from '../../parts/events-field.tsx';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';

type Webhook = Schemas['Webhook'];

interface FormProps {
  /** Null to add one. */
  readonly webhook: Webhook | null;
  readonly done: () => void;
}

const FIRST: readonly string[] = ['email.delivered', 'email.bounced'];

const eventsIn = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');

/** Shows a secret, once. */
export const SecretDialog = ({ secret, close }: { readonly secret: string | null; readonly close: () => void }): ReactNode => (
  <Dialog title="Signing secret" isOpen={secret !== null} close={close}>
    <p>Copy the secret now. It is shown only once. Your server uses it to verify calls.</p>
    <pre tabIndex={0}>{secret}</pre>
    <div className="actions">
      <button type="button" className="primary" onClick={close}>
        I have saved it
      </button>
    </div>
  </Dialog>
);

/** Adds a webhook, or changes one. */
export function WebhookForm({ webhook, done }: FormProps): ReactNode {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<readonly string[]>([]);
  const [own, setOwn] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const begin = (): void => {
    setUrl(webhook?.url ?? '');
    setDescription(webhook?.description ?? '');
    const known = webhook?.events ?? FIRST;
    setEvents(known.filter(isOfSystem));
    setOwn(known.filter((name) => !isOfSystem(name)).join(' '));
  };
  const send = async (): Promise<void> => {
    const body = {
      url: url.trim(),
      description: description.trim() || null,
      events: events.includes('*') ? ['*'] : [...events, ...eventsIn(own)],
    };
    if (webhook) await api.updateWebhook(webhook.webhookId, body);
    else setSecret((await api.createWebhook(body)).secret ?? null);
  };
  return (
    <>
      <FormDialog
        label={webhook ? 'Edit' : 'Add webhook'}
        title={webhook ? 'Edit the webhook' : 'Add a webhook'}
        primary={!webhook}
        begin={begin}
        send={send}
        done={done}
        said={webhook ? 'Webhook saved.' : 'Webhook added.'}
      >
        <TextField label="URL" type="url" required value={url} change={setUrl} placeholder="https://example.com/hooks" />
        <TextField label="Description" value={description} change={setDescription} />
        <EventsField events={events} change={setEvents} />
        {!events.includes('*') && (
          <TextField label="Your own events" hint="Names with spaces between them, such as order.placed" value={own} change={setOwn} />
        )}
      </FormDialog>
      <SecretDialog secret={secret} close={() => setSecret(null)} />
    </>
  );
}

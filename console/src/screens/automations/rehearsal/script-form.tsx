import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../../parts/api.ts';
import { useEventMembers } from '../../../parts/event-members.ts';
import { EventName } from '../../../parts/conditions/names.tsx';
import { numbered, withRow } from '../../../parts/conditions/language.ts';
import { ChoiceField, TextField } from '../../../parts/fields.tsx';
import { Card } from '../../../parts/page.tsx';
import { useSettled } from '../../../parts/settled.ts';
import { ValuesField } from '../../../parts/values/values-field.tsx';
import type { Values } from '../../../parts/values/values-field.tsx';
import { eventOf } from '../trigger-fields.tsx';
import { NEW_EVENT } from './script.ts';
import type { Script, ScriptEvent } from './script.ts';

const FOUND = 10;

interface ContactProps {
  readonly contactId: string | null;
  readonly change: (contactId: string | null) => void;
}

/** Finds a contact by what is typed, and picks it. */
function ContactPick({ contactId, change }: ContactProps): ReactNode {
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim());
  const { data } = useQuery({
    queryKey: ['contacts', 'pick', search],
    queryFn: () => api.listContacts({ limit: FOUND, ...(search !== '' && { search }) }).page(undefined),
  });
  const found = (data?.rows ?? []).map((contact) => [contact.contactId, contact.email] as const);
  const isThere = contactId === null || found.some(([id]) => id === contactId);
  return (
    <>
      <TextField label="Find contact" type="search" value={typed} change={setTyped} />
      <ChoiceField
        label="Contact"
        value={contactId ?? ''}
        options={[['', 'Unknown contact'], ...(isThere ? [] : [[contactId, contactId] as const]), ...found]}
        change={(id) => change(id === '' ? null : id)}
      />
    </>
  );
}

interface DataProps {
  readonly label: string;
  /** Name of the event. */
  readonly event: string;
  readonly value: Values | undefined;
  readonly change: (data: Values | undefined) => void;
}

const EventData = ({ event, ...field }: DataProps): ReactNode => <ValuesField {...field} one="Field" names={useEventMembers(event)} />;

interface EventProps {
  readonly event: ScriptEvent;
  readonly number: number;
  readonly change: (event: ScriptEvent | null) => void;
}

const EventRow = ({ event, number, change }: EventProps): ReactNode => (
  <fieldset className="condition-group">
    <legend>Event {number}</legend>
    <EventName label="Event name" value={event.name} change={(name) => change({ ...event, name })} />
    <TextField label="After" type="number" min={0} step="any" value={event.amount} change={(amount) => change({ ...event, amount })} />
    <ChoiceField
      label="Unit"
      value={event.unit}
      options={[
        ['hours', 'hours'],
        ['days', 'days'],
      ]}
      change={(unit) => change({ ...event, unit: unit as ScriptEvent['unit'] })}
    />
    <EventData label="Event data" event={event.name} value={event.data} change={(data) => change({ ...event, data })} />
    <button type="button" className="quiet" onClick={() => change(null)}>
      Remove event {number}
    </button>
  </fieldset>
);

interface ScriptProps {
  readonly trigger: string;
  readonly script: Script;
  readonly change: (script: Script) => void;
}

/** Shows the form for the contact, the event that starts it, and later events. */
export function ScriptForm({ trigger, script, change }: ScriptProps): ReactNode {
  const { events } = script;
  return (
    <Card title="Scenario">
      <fieldset>
        <legend className="unseen">Scenario</legend>
        <ContactPick contactId={script.contactId} change={(contactId) => change({ ...script, contactId })} />
        <EventData label="Trigger event data" event={eventOf(trigger)} value={script.data} change={(data) => change({ ...script, data })} />
        {numbered(events).map(([key, event], place) => (
          <EventRow
            key={key}
            event={event}
            number={place + 1}
            change={(changed) => change({ ...script, events: withRow(events, place, changed) })}
          />
        ))}
        <button type="button" onClick={() => change({ ...script, events: [...events, NEW_EVENT] })}>
          Add event
        </button>
      </fieldset>
    </Card>
  );
}

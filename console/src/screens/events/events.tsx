import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useEventNames } from '../../parts/conditions/names.tsx';
import { When, beginningOf, endOf } from '../../parts/dates.tsx';
import { DayFields } from '../../parts/days.tsx';
import { Detail } from '../../parts/detail.tsx';
import { CheckField, TextField } from '../../parts/fields.tsx';
import { given, useFilters, useTyped } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { Suggested } from '../../parts/suggested.tsx';

type Event = Schemas['Event'];

const LIVE_MS = 3_000;

const COLUMNS = [
  { name: 'Event', show: ({ name }: Event) => <strong>{name}</strong> },
  {
    name: 'Of',
    show: ({ contactId, emailId }: Event) => (
      <>
        {contactId !== null && <Link to={`/contacts/${contactId}`}>Contact</Link>}{' '}
        {emailId !== null && <Link to={`/mail/${emailId}`}>Message</Link>}
      </>
    ),
  },
  { name: 'Data', show: ({ data }: Event) => <Detail data={data} /> },
  { name: 'When', show: ({ createdAt }: Event) => <When at={createdAt} /> },
];

/** Shows the event log of the project, newest first. New events appear while it is seen. */
export function Events(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['name', 'email', 'from', 'until']);
  const [name, setName] = useTyped(filters.name, (text) => setFilter('name', text));
  const [email, setEmail] = useTyped(filters.email, (text) => setFilter('email', text));
  const [isLive, setLive] = useState(true);
  const { name: ofName, email: ofContact, from, until } = filters;
  const query = given({ name: ofName, email: ofContact, from: beginningOf(from), to: endOf(until), limit: 50 });
  return (
    <Page title="Events" actions={<CheckField label="Live" checked={isLive} change={setLive} />}>
      <search className="filters">
        <Suggested label="Event name" value={name} change={setName} names={useEventNames()} />
        <TextField label="Email" type="email" value={email} change={setEmail} />
        <DayFields filters={filters} setFilter={setFilter} />
      </search>
      <List
        caption="events"
        queryKey={['events', query]}
        rows={() => api.listEvents(query)}
        idOf={({ eventId }) => eventId}
        columns={COLUMNS}
        changesIn={() => isLive && LIVE_MS}
        empty={
          isFiltered ? (
            <Empty title="No matching events">
              <p>Remove a filter to see more.</p>
            </Empty>
          ) : (
            <Empty title="No events yet">
              <p>
                Track what people do with <code>POST /v1/events</code>. Deliveries, opens and clicks appear here too.
              </p>
            </Empty>
          )
        }
      />
    </Page>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { Detail } from '../../parts/detail.tsx';
import { Card } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';

type Email = Schemas['Email'];
type Event = Schemas['Event'];

const MOST = 500;

/** Resolves to the events of a message, oldest first: from all events since then of its recipient or sender. */
async function eventsOf({ emailId, to, fromEmail, source, createdAt }: Email): Promise<readonly Event[]> {
  const person = source === 'inbound' ? fromEmail : to;
  const events = await api.listEvents({ email: person, from: createdAt, limit: 100 }).toArray(MOST);
  return events.filter((event) => event.emailId === emailId).toReversed();
}

/** Shows every event of a message, with what the mail server answered. */
export function MessageEvents({ email }: { readonly email: Email }): ReactNode {
  const query = useQuery({ queryKey: ['emails', email.emailId, 'events'], queryFn: () => eventsOf(email) });
  return (
    <Card title="Events">
      <Answer query={query} what="events">
        {(events) =>
          events.length === 0 ? (
            <p className="hint">No events yet.</p>
          ) : (
            <ol className="timeline">
              {events.map(({ eventId, name, createdAt, data }) => (
                <li key={eventId}>
                  <strong>{name}</strong> <When at={createdAt} />
                  <Detail data={data} />
                </li>
              ))}
            </ol>
          )
        }
      </Answer>
    </Card>
  );
}

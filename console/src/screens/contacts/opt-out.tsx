import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { Facts } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { sourceWords } from './sources.ts';

type Event = Schemas['Event'];

const BY_MAIL = 'email.unsubscribed';
const BY_OTHERS = 'contact.unsubscribed';

const wayOf = ({ data }: Event): string => {
  const way = data?.['method'] ?? data?.['source'];
  return typeof way === 'string' ? sourceWords(way) : 'Message';
};

/** Resolves to the event of the opt-out: the newer one of those that a message led to, and those from other sources. */
async function evidenceOf(contactId: string): Promise<Event | null> {
  const found = await Promise.all(
    [BY_MAIL, BY_OTHERS].map(async (name) => (await api.listEvents({ contactId, name, limit: 1 }).page()).rows[0]),
  );
  const [byMail, byOthers] = found;
  if (!byMail || !byOthers) return byMail ?? byOthers ?? null;
  return byMail.createdAt >= byOthers.createdAt ? byMail : byOthers;
}

/** Shows when and how a person has opted out, with the message that led to it and the entry of the log that shows it. */
export function OptOut({ contactId }: { readonly contactId: string }): ReactNode {
  const query = useQuery({ queryKey: ['contacts', contactId, 'opt-out'], queryFn: () => evidenceOf(contactId) });
  return (
    <Answer query={query} what="unsubscribe details">
      {(event) =>
        event === null ? (
          <p className="hint">
            The event log has no unsubscribe event for this contact. It was added as unsubscribed, or the event was deleted after the
            retention period.
          </p>
        ) : (
          <Facts
            facts={[
              ['Unsubscribed', <When key="when" at={event.createdAt} />],
              ['Method', wayOf(event)],
              [
                'Message',
                event.emailId !== null && (
                  <Link key="message" to={`/mail/${event.emailId}`}>
                    View message
                  </Link>
                ),
              ],
              ['Evidence', <code key="event">{event.eventId}</code>],
            ]}
          />
        )
      }
    </Answer>
  );
}

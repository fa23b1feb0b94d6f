import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { Detail } from '../../parts/detail.tsx';
import { Entries } from '../../parts/entries.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { SUPPRESSION_SOURCES } from '../../parts/suppression-sources.ts';
import { useMay } from '../../session/session.ts';
import { Consent } from './consent.tsx';
import { ConsentLedger } from './consent-ledger.tsx';
import { ContactTopics } from './contact-topics.tsx';
import { ContactForm } from './contact-form.tsx';
import { sourceWords } from './sources.ts';
import { WhyButton } from './why.tsx';

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
function OptOut({ contactId }: { readonly contactId: string }): ReactNode {
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

/** Returns the page with an entry's details: the message, the execution, or the automation. */
function placeOf(emailId: string | null, workflowId: string | null, data: Schemas['TimelineEntry']['data']): string | null {
  if (emailId !== null) return `/mail/${emailId}`;
  const executionId = data?.['executionId'];
  if (typeof executionId === 'string') return `/executions/${executionId}`;
  return workflowId === null ? null : `/automations/${workflowId}`;
}

const Named = ({ to, children }: { readonly to: string | null; readonly children: string }): ReactNode =>
  to === null ? children : <Link to={to}>{children}</Link>;

function Entry({ entry: { name, createdAt, emailId, workflowId, data } }: { readonly entry: Schemas['TimelineEntry'] }): ReactNode {
  return (
    <>
      <strong>
        <Named to={placeOf(emailId, workflowId, data)}>{name}</Named>
      </strong>{' '}
      <When at={createdAt} />
      <Detail data={data} />
    </>
  );
}

/** Shows all that has happened with a person, newest first. */
const Timeline = ({ contactId }: { readonly contactId: string }): ReactNode => (
  <Card title="Timeline">
    <Entries
      what="the timeline"
      queryKey={['contacts', contactId, 'timeline']}
      rows={() => api.getContactTimeline(contactId)}
      idOf={({ entryId }) => entryId}
      show={(entry) => <Entry entry={entry} />}
      none="No activity yet."
    />
  </Card>
);

type Contact = Schemas['Contact'];

const Because = ({ suppression: { source, createdAt } }: { readonly suppression: Schemas['Suppression'] }): ReactNode => (
  <>
    {SUPPRESSION_SOURCES[source]}, <When at={createdAt} />
  </>
);

/** Shows whether mail reaches a person, and what prevents it. */
function Standing({ contact }: { readonly contact: Contact }): ReactNode {
  const query = useQuery({ queryKey: ['suppressions', contact.email], queryFn: () => api.checkSuppression({ email: contact.email }) });
  return (
    <Card title="Mail to this contact">
      <Answer query={query} what="suppressions">
        {({ suppression }) => (
          <>
            <Facts
              facts={[
                ['Marketing', <Consent key="consent" subscribed={contact.subscribed} />],
                ['Paused until', contact.snoozedUntil !== undefined && <When key="paused" at={contact.snoozedUntil} />],
                ['Suppressed', suppression ? <Badge key="reason" of={suppression.reason} tone="bad" /> : 'No'],
                ['Suppression source', suppression && <Because key="because" suppression={suppression} />],
                [
                  'Messages',
                  <Link key="messages" to={`/mail?contactId=${contact.contactId}`}>
                    View messages
                  </Link>,
                ],
              ]}
            />
            {!contact.subscribed && <OptOut contactId={contact.contactId} />}
            <p>
              <WhyButton contactId={contact.contactId} />
            </p>
          </>
        )}
      </Answer>
    </Card>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const Fields = ({ contact }: { readonly contact: Contact }): ReactNode => (
  <Card title="Profile">
    <Facts
      facts={[
        ['Email', contact.email],
        ['First name', contact.firstName],
        ['Last name', contact.lastName],
        ['Locale', contact.locale],
        ['Time zone', contact.timezone],
        ...Object.entries(contact.data ?? {}).map(([name, value]) => [name, textOf(value)] as const),
        ['Added', <When key="added" at={contact.createdAt} />],
        ['Updated', <When key="updated" at={contact.updatedAt} />],
      ]}
    />
  </Card>
);

function Actions({ contact }: { readonly contact: Contact }): ReactNode {
  const { contactId, email, subscribed } = contact;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const again = (): void => void queries.invalidateQueries();
  const subscribe = () => api.changeContacts({ action: 'subscribe', contactIds: [contactId] });
  return (
    <>
      <ContactForm contact={contact} done={again} />
      {subscribed ? (
        <Confirm
          label="Unsubscribe"
          title="Unsubscribe this contact?"
          act={() => api.changeContacts({ action: 'unsubscribe', contactIds: [contactId] })}
          done={again}
          said={`${email} unsubscribed.`}
        >
          {email} will get no more marketing mail. Transactional messages are still sent.
        </Confirm>
      ) : (
        <Confirm label="Subscribe" title="Subscribe this contact again?" act={subscribe} done={again} said={`${email} subscribed.`}>
          Do this only if {email} asked for it.
        </Confirm>
      )}
      <Confirm
        label="Erase contact"
        title="Erase this contact?"
        danger
        act={() => api.deleteContact(contactId)}
        done={() => {
          void queries.invalidateQueries();
          void navigate('/contacts');
        }}
        said="Contact erased."
      >
        This deletes the contact and all data about {email}. Unsubscribes and suppressions are kept as hashes. You cannot undo this.
      </Confirm>
    </>
  );
}

/** Shows one person: who it is, whether mail arrives, and all that has happened. */
export function ContactPage(): ReactNode {
  const { id = '' } = useParams();
  const mayChange = useMay('change');
  const query = useQuery({ queryKey: ['contacts', 'one', id], queryFn: () => api.getContact(id) });
  return (
    <Answer query={query} what="the contact">
      {(contact) => (
        <Page
          title={[contact.firstName, contact.lastName].filter(Boolean).join(' ') || contact.email}
          under={{ label: 'Contacts', to: '/contacts' }}
          actions={mayChange && <Actions contact={contact} />}
        >
          <div className="columns">
            <div>
              <Fields contact={contact} />
              <Standing contact={contact} />
              <ContactTopics contactId={contact.contactId} />
              <ConsentLedger contactId={contact.contactId} />
            </div>
            <Timeline contactId={contact.contactId} />
          </div>
        </Page>
      )}
    </Answer>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { SUPPRESSION_SOURCES } from '../../parts/suppression-sources.ts';
import { useMay } from '../../session/session.ts';
import { Consent } from './consent.tsx';
import { ConsentLedger } from './consent-ledger.tsx';
import { ContactTopics } from './contact-topics.tsx';
import { ContactForm } from './contact-form.tsx';
import { OptOut } from './opt-out.tsx';
import { Timeline } from './timeline.tsx';
import { WhyButton } from './why.tsx';

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

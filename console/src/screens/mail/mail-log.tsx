import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When, beginningOf, endOf } from '../../parts/dates.tsx';
import { DayFields } from '../../parts/days.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { given, useFilters, useTyped } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { skippedWords } from '../../parts/reasons.ts';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

async function standingOf(email: string) {
  const [{ suppression }, contacts] = await Promise.all([
    api.checkSuppression({ email }),
    api.listContacts({ search: email, limit: 10 }).page(),
  ]);
  return { suppression, contact: contacts.rows.find((row) => row.email === email.toLowerCase()) };
}

/** Shows why mail to an address is skipped. Such messages leave no entry in the log, so the reason is shown instead. */
function WhyNone({ email }: { readonly email: string }): ReactNode {
  const { data } = useQuery({ queryKey: ['suppressions', 'standing', email], queryFn: () => standingOf(email) });
  if (!data) return null;
  const { suppression, contact } = data;
  if (suppression && suppression.reason !== 'unsubscribe') {
    return (
      <p className="notice" role="status">
        Every message to {email} is skipped and not listed here. Reason: {skippedWords(suppression.reason)},{' '}
        <When at={suppression.createdAt} />. <Link to={`/suppressions?search=${encodeURIComponent(email)}`}>View suppression</Link>
      </p>
    );
  }
  if (!suppression && contact?.subscribed !== false) return null;
  return (
    <p className="notice" role="status">
      Marketing mail to {email} is skipped and not listed here, because the contact unsubscribed.{' '}
      {contact && <Link to={`/contacts/${contact.contactId}`}>View contact</Link>}
    </p>
  );
}

type Row = Schemas['EmailSummary'];
type Query = NonNullable<Parameters<typeof api.listEmails>[0]>;

const STATUSES = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'cancelled',
  'received',
].map((status) => [status, status] as const);
const SOURCES = [
  ['transactional', 'API'],
  ['campaign', 'Campaign'],
  ['workflow', 'Automation'],
  ['inbound', 'Received'],
] as const;

/** Restrictions of the list that other screens link to. */
const OF = [
  ['contactId', 'to and from one contact'],
  ['campaignId', 'of one campaign'],
  ['workflowId', 'of one automation'],
] as const;

const COLUMNS = [
  {
    name: 'Message',
    show: ({ emailId, subject }: Row) => (
      <Link to={`/mail/${emailId}`} className="row-link">
        {subject === '' ? '(no subject)' : subject}
      </Link>
    ),
  },
  { name: 'To', show: ({ to }: Row) => to },
  {
    name: 'Status',
    show: ({ status, testMode }: Row) => (
      <>
        <Badge of={status} /> {testMode && <Badge of="test" />}
      </>
    ),
  },
  { name: 'Reason', show: ({ error }: Row) => <span className="reason">{error ?? ''}</span> },
  { name: 'Accepted', show: ({ createdAt }: Row) => <When at={createdAt} /> },
];

/** Shows every message, newest first, found by its recipient, subject, status, source and days. */
export function MailLog(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters([
    'to',
    'subject',
    'status',
    'source',
    'from',
    'until',
    'contactId',
    'campaignId',
    'workflowId',
  ]);
  const mayRead = useMay('read');
  const [address, setAddress] = useTyped(filters.to, (to) => setFilter('to', to));
  const [subject, setSubject] = useTyped(filters.subject, (text) => setFilter('subject', text));
  const query = given({ ...filters, from: beginningOf(filters.from), until: endOf(filters.until) }) as Query;
  return (
    <Page title="Mail log">
      <search className="filters">
        <TextField label="Recipient" type="search" value={address} change={setAddress} placeholder="ada@example.com" />
        <TextField label="Subject" type="search" maxLength={200} value={subject} change={setSubject} />
        <ChoiceField
          label="Status"
          value={filters.status}
          change={(status) => setFilter('status', status)}
          options={[['', 'Any'], ...STATUSES]}
        />
        <ChoiceField
          label="Source"
          value={filters.source}
          change={(source) => setFilter('source', source)}
          options={[['', 'Any'], ...SOURCES]}
        />
        <DayFields filters={filters} setFilter={setFilter} />
      </search>
      {mayRead && filters.to.includes('@') && <WhyNone email={filters.to} />}
      {OF.filter(([name]) => filters[name] !== '').map(([name, words]) => (
        <p key={name} className="only">
          Only messages {words}{' '}
          <button type="button" className="quiet" onClick={() => setFilter(name, '')}>
            Show all
          </button>
        </p>
      ))}
      <List
        caption="messages"
        queryKey={['emails', query]}
        rows={() => api.listEmails(query)}
        idOf={({ emailId }) => emailId}
        columns={COLUMNS}
        empty={
          isFiltered ? (
            <Empty title="No matching messages">
              <p>Remove a filter to see more. For a recipient, enter the full email address.</p>
            </Empty>
          ) : (
            <Empty title="No messages yet">
              <p>
                Send a message with <code>POST /v1/send</code>. It appears here at once.
              </p>
            </Empty>
          )
        }
      />
    </Page>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { Detail } from '../../parts/detail.tsx';
import { MessageFrame } from '../../parts/message-frame.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useMay } from '../../session/session.ts';

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
function MessageEvents({ email }: { readonly email: Email }): ReactNode {
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

const SOURCES: Readonly<Record<Email['source'], string>> = {
  transactional: 'API',
  campaign: 'Campaign',
  workflow: 'Automation',
  inbound: 'Received',
};

/** States in which the error is the mail server's answer; in other states it is ours. */
const SERVER_SAID: ReadonlySet<string> = new Set(['sending', 'queued', 'delivered', 'opened', 'clicked', 'bounced', 'complained']);

const isReceived = ({ source }: Email): boolean => source === 'inbound';

type Fact = readonly [name: string, value: ReactNode];

const momentsOf = (email: Email): readonly Fact[] =>
  [
    [isReceived(email) ? 'Received' : 'Accepted', email.createdAt] as const,
    ['Scheduled for', email.scheduledFor] as const,
    ['Sent', email.sentAt] as const,
    ['Delivered', email.deliveredAt] as const,
    ['First opened', email.openedAt] as const,
    ['First clicked', email.clickedAt] as const,
  ].map(([name, at]) => [name, at && <When key={name} at={at} />]);

const named = (address: string, name: string | null | undefined): string => (name ? `${name} <${address}>` : address);

const COPIES = { to: null, cc: 'Copy (cc)', bcc: 'Blind copy (bcc)' } as const;

const untrackedOf = ({ tracking }: Email): string =>
  [tracking?.opens === false && 'opens', tracking?.clicks === false && 'clicks'].filter(Boolean).join(' and ');

/** Shows the recipient or sender, with a link to the contact. */
function Person({ email: { contactId }, children }: { readonly email: Email; readonly children: string }): ReactNode {
  const mayRead = useMay('read');
  return contactId !== null && mayRead ? <Link to={`/contacts/${contactId}`}>{children}</Link> : children;
}

const peopleOf = (email: Email): readonly Fact[] => {
  const isInbound = isReceived(email);
  const sender = named(email.fromEmail, email.fromName);
  const linked = (text: string): ReactNode => (
    <Person key="person" email={email}>
      {text}
    </Person>
  );
  return [
    ['To', isInbound ? email.to : linked(email.to)],
    ['From', isInbound ? linked(sender) : sender],
  ];
};

/** Shows the origin of a message, with a link. */
function Sender({ email: { source, campaignId, workflowId } }: { readonly email: Email }): ReactNode {
  const mayRead = useMay('read');
  const to = (campaignId !== null && `/campaigns/${campaignId}`) || (workflowId !== null && `/automations/${workflowId}`);
  return to && mayRead ? <Link to={to}>{SOURCES[source]}</Link> : SOURCES[source];
}

/** Shows the way that a message took, with a link to what is known of it. */
function Transport({ name }: { readonly name: string }): ReactNode {
  const mayRead = useMay('read');
  return mayRead ? <Link to="/deliverability">{name}</Link> : name;
}

const factsOf = (email: Email): readonly Fact[] => [
  ...peopleOf(email),
  ['Recipient type', email.recipientType && COPIES[email.recipientType]],
  ['Reply-to', email.replyTo && named(email.replyTo, email.replyToName)],
  ['Source', <Sender key="sender" email={email} />],
  ['Type', email.type],
  ...momentsOf(email),
  ['Opens, clicks', !isReceived(email) && `${count(email.opens)}, ${count(email.clicks)}`],
  ['Not tracked', untrackedOf(email)],
  ['Tags', email.tags?.map(({ name, value }) => `${name}: ${value}`).join(', ')],
  ['Attempts', !isReceived(email) && count(email.attempts)],
  ['Transport', email.transport && <Transport key="transport" name={email.transport} />],
  ['Bounce', email.bounceType],
  ['Message ID', email.messageId],
  ['Attachments', email.attachments.map(({ filename, size }) => `${filename} (${count(size)} bytes)`).join(', ')],
  ['Test mode', email.testMode ? 'Recorded, not delivered' : null],
];

const Delivery = ({ email }: { readonly email: Email }): ReactNode => (
  <Card title="Delivery" actions={<Badge of={email.status} />}>
    {email.error !== null && (
      <p className="notice">
        <strong>{SERVER_SAID.has(email.status) ? 'Mail server response' : 'Reason'}:</strong> {email.error}
      </p>
    )}
    <Facts facts={factsOf(email)} />
  </Card>
);

function Content({ email }: { readonly email: Email }): ReactNode {
  if (email.contentKept === false) {
    return (
      <Card title="Message">
        <p className="hint">The content was deleted after the retention period. The delivery data remains.</p>
      </Card>
    );
  }
  if (email.contentHidden) {
    return (
      <Card title="Message">
        <p className="hint">Your key cannot read message content. Sign in with a key that can read.</p>
      </Card>
    );
  }
  const headers = Object.entries(email.headers ?? {})
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
  return (
    <Card title="Message">
      <Tabs
        label="Message views"
        tabs={[
          { name: isReceived(email) ? 'As received' : 'As sent', content: <MessageFrame title="Message as sent" html={email.body} /> },
          { name: 'Text', content: <pre tabIndex={0}>{email.text}</pre> },
          { name: 'HTML', content: <pre tabIndex={0}>{email.body}</pre> },
          ...(headers === '' ? [] : [{ name: 'Headers', content: <pre tabIndex={0}>{headers}</pre> }]),
        ]}
      />
    </Card>
  );
}

function CancelButton({ email }: { readonly email: Email }): ReactNode {
  const queries = useQueryClient();
  const maySend = useMay('change');
  if (email.scheduledFor === null || email.status !== 'queued' || !maySend) return null;
  return (
    <Confirm
      label="Cancel message"
      title="Cancel this message?"
      danger
      act={() => api.cancelEmail(email.emailId)}
      done={() => void queries.invalidateQueries()}
      said="Message cancelled."
    >
      It will not be sent to {email.to}. You cannot undo this.
    </Confirm>
  );
}

/** Shows one message: its content, its outcome, and why. */
export function Message(): ReactNode {
  const { id = '' } = useParams();
  const mayRead = useMay('read');
  const query = useQuery({ queryKey: ['emails', id], queryFn: () => api.getEmail(id) });
  const under = { label: 'Mail log', to: '/mail' };
  return (
    <Answer query={query} what="the message">
      {(email) => (
        <Page title={email.subject === '' ? '(no subject)' : email.subject} under={under} actions={<CancelButton email={email} />}>
          <div className="columns">
            <div>
              <Delivery email={email} />
              {mayRead && <MessageEvents email={email} />}
            </div>
            <Content email={email} />
          </div>
        </Page>
      )}
    </Answer>
  );
}

import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { When } from '../../parts/dates.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { given, useFilters } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Page, Card, Facts } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay, useSession } from '../../session/session.ts';
import { PROGRAMS, USER } from './programs.ts';
import './smtp.css';

/** Shows the settings of a program that hands mail in, to copy. */
function Connection(): ReactNode {
  const { submission } = useSession();
  const mayChange = useMay('manage');
  const [chosen, choose] = useState('nodemailer');
  const { host, port, tlsPort } = submission;
  const server = port === null ? { host, port: tlsPort ?? 465, isTls: true } : { host, port, isTls: false };
  const settings = PROGRAMS.find(({ id }) => id === chosen)?.settings(server) ?? '';
  return (
    <Card title="SMTP settings">
      <div className="connection">
        <Facts
          facts={[
            ['Host', <code key="host">{host}</code>],
            ['Port with STARTTLS', port === null ? null : <code key="port">{port}</code>],
            ['Port with TLS', tlsPort === null ? null : <code key="tls">{tlsPort}</code>],
            ['User', <code key="user">{USER}</code>],
            [
              'Password',
              mayChange ? (
                <Link key="key" to="/keys">
                  An API key that may send
                </Link>
              ) : (
                'An API key that may send'
              ),
            ],
          ]}
        />
        <ChoiceField label="Program" value={chosen} change={choose} options={PROGRAMS.map(({ id, name }) => [id, name] as const)} />
        <pre tabIndex={0}>{settings}</pre>
        <CopyButton label="Copy settings" text={settings} />
        <p className="hint">Send from an address at a verified domain. A test key delivers nothing.</p>
      </div>
    </Card>
  );
}

type Session = Schemas['SmtpSession'];
type Query = NonNullable<Parameters<typeof api.listSmtpSessions>[0]>;

const TONES = { accepted: 'good', partial: 'warn', refused: 'bad', nothing: 'plain' } as const;

const RESULTS = [
  ['accepted', 'Accepted'],
  ['partial', 'Partly refused'],
  ['refused', 'Refused'],
  ['nothing', 'Nothing submitted'],
] as const;

const Accepted = ({ session: { accepted, emailIds } }: { readonly session: Session }): ReactNode =>
  emailIds.length === 0 ? (
    count(accepted)
  ) : (
    <details>
      <summary>{count(accepted)}</summary>
      <ul>
        {emailIds.map((id) => (
          <li key={id}>
            <Link to={`/mail/${id}`}>{id}</Link>
          </li>
        ))}
      </ul>
    </details>
  );

const Refused = ({ session: { refused, refusals } }: { readonly session: Session }): ReactNode => (
  <>
    {count(refused)}
    {refusals.length > 0 && (
      <ul className="reason">
        {refusals.map((reply, at) => (
          // A program may try the same thing again.
          <li key={`${at} ${reply}`}>{reply}</li>
        ))}
      </ul>
    )}
  </>
);

const COLUMNS = [
  { name: 'Started', show: ({ startedAt }: Session) => <When at={startedAt} /> },
  {
    name: 'Result',
    show: ({ result, testMode }: Session) => (
      <>
        <Badge of={result} tone={TONES[result]} /> {testMode && <Badge of="test" />}
      </>
    ),
  },
  { name: 'Program', show: ({ client, network }: Session) => `${client} ${network}` },
  { name: 'Key', show: ({ key }: Session) => <code>{key}…</code> },
  { name: 'Accepted', show: (session: Session) => <Accepted session={session} /> },
  { name: 'Refused', show: (session: Session) => <Refused session={session} /> },
];

const LOOK_AGAIN_MS = 10_000;

/** Shows how programs hand mail in over SMTP, and what they handed in. */
export function Smtp(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['result']);
  const query = given(filters) as Query;
  return (
    <Page title="SMTP">
      <Connection />
      <section className="sessions" aria-labelledby="sessions">
        <h2 id="sessions">Sessions of the last 30 days</h2>
        <search className="filters">
          <ChoiceField
            label="Result"
            value={filters.result}
            change={(result) => setFilter('result', result)}
            options={[['', 'Any'], ...RESULTS]}
          />
        </search>
        <List
          caption="SMTP sessions"
          queryKey={['smtp-sessions', query]}
          rows={() => api.listSmtpSessions(query)}
          idOf={({ sessionId }) => sessionId}
          columns={COLUMNS}
          changesIn={() => LOOK_AGAIN_MS}
          empty={
            isFiltered ? (
              <Empty title="No matching sessions">
                <p>Remove a filter to see more.</p>
              </Empty>
            ) : (
              <Empty title="No SMTP sessions yet">
                <p>A connection is listed once it has ended. Failed sign-ins are not listed: check the key in your program.</p>
              </Empty>
            )
          }
        />
      </section>
    </Page>
  );
}

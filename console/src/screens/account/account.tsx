import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { account } from '../../parts/api.ts';
import type { OwnSession, Session } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSession } from '../../session/session.ts';
import { SecondFactorCard } from './second-factor.tsx';

type Person = NonNullable<Session['person']>;

const KEY = ['own-sessions'];

function Identity({ person: { name, address, hasIdentity } }: { readonly person: Person }): ReactNode {
  const changed = useChanged('session');
  const { grant } = useSession();
  const [written, setWritten] = useState(name ?? '');
  return (
    <Card title="You">
      <Facts
        facts={[
          ['Name', name],
          ['Address', address],
          ['Role in this project', grant],
          ['Single sign-on', hasIdentity ? 'connected' : 'not connected'],
        ]}
      />
      <FormDialog
        label="Change name"
        title="Change your name"
        begin={() => setWritten(name ?? '')}
        send={() => account.rename(written.trim() === '' ? null : written)}
        done={changed}
        said="Name saved."
      >
        <TextField label="Name" value={written} change={setWritten} maxLength={200} autoComplete="name" />
      </FormDialog>
      {hasIdentity && <Connection />}
    </Card>
  );
}

/** Disconnects the account at the OpenID provider. */
function Connection(): ReactNode {
  const changed = useChanged('session');
  return (
    <Confirm
      label="Disconnect single sign-on"
      title="Disconnect single sign-on?"
      act={account.disconnect}
      done={changed}
      said="Single sign-on disconnected."
    >
      Your account there is no longer linked to you. The next sign-in with your address links that account.
    </Confirm>
  );
}

function Sessions({ person: { projects } }: { readonly person: Person }): ReactNode {
  const queries = useQueryClient();
  const { sessionId: current } = useSession();
  const query = useQuery({ queryKey: KEY, queryFn: account.sessions });
  const nameOf = (projectId: string): string => projects.find((project) => project.projectId === projectId)?.name ?? projectId;
  const end = ({ sessionId }: OwnSession): ReactNode =>
    sessionId === current ? (
      'This session'
    ) : (
      <Confirm
        label="End"
        title="End this session?"
        danger
        act={() => account.end(sessionId)}
        done={() => void queries.invalidateQueries({ queryKey: KEY })}
        said="Session ended."
      >
        That browser is signed out.
      </Confirm>
    );
  const everywhere = (
    <Confirm
      label="Sign out everywhere"
      title="Sign out everywhere?"
      danger
      act={account.endAll}
      done={() => void queries.invalidateQueries({ queryKey: ['session'] })}
    >
      All your sessions end, this one too.
    </Confirm>
  );
  return (
    <Card title="Sessions" actions={everywhere}>
      <Answer query={query} what="your sessions">
        {(sessions) => (
          <Table label="Your sessions" columns={['Project', 'Signed in', 'Ends if not used', 'Action']}>
            {sessions.map((session) => (
              <tr key={session.sessionId}>
                <td>{nameOf(session.projectId)}</td>
                <td>
                  <When at={session.createdAt} />
                </td>
                <td>
                  <When at={session.expiresAt} />
                </td>
                <td>{end(session)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Answer>
    </Card>
  );
}

/** Shows the account of the person who is signed in. */
export function AccountPage(): ReactNode {
  const { person } = useSession();
  return (
    <Page title="Account">
      {person === null ? (
        <Empty title="No account">This session belongs to a key or to an operator. Ask an owner to invite you.</Empty>
      ) : (
        <>
          <Identity person={person} />
          <SecondFactorCard />
          <Sessions person={person} />
        </>
      )}
    </Page>
  );
}

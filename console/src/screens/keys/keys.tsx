import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay, useSession } from '../../session/session.ts';
import { KeyForm } from './key-form.tsx';

type Key = Schemas['Key'];

const SCOPES = { full: 'everything', sending: 'send, and read e-mails', read: 'read' } as const;

function stateOf({ revokedAt, expiresAt }: Key): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}

function Revoke({ row: { keyId, prefix } }: { readonly row: Key }): ReactNode {
  const queries = useQueryClient();
  return (
    <Confirm
      label="Revoke"
      title={`Revoke ${prefix}…?`}
      danger
      act={() => api.revokeKey(keyId)}
      done={() => void queries.invalidateQueries({ queryKey: ['keys'] })}
    >
      What uses this key is refused from then on, and sessions of the console that began with it are over. This cannot be taken back.
    </Confirm>
  );
}

const COLUMNS = [
  { name: 'Key', show: ({ prefix }: Key) => <code>{prefix}…</code> },
  { name: 'Kind', show: ({ kind }: Key) => kind },
  { name: 'It may', show: ({ scope }: Key) => (scope === null ? 'post events' : SCOPES[scope]) },
  { name: 'State', show: (row: Key) => <Badge of={stateOf(row)} /> },
  { name: 'Last used', show: ({ lastUsedAt }: Key) => <When at={lastUsedAt} /> },
  { name: 'Ends', show: ({ expiresAt }: Key) => <When at={expiresAt} /> },
  { name: 'Made', show: ({ createdAt }: Key) => <When at={createdAt} /> },
];

/** The keys of the project, by their beginnings. */
export function Keys(): ReactNode {
  const mayChange = useMay('change');
  const { testMode } = useSession();
  const revoke = {
    name: 'Action',
    show: (row: Key) => (stateOf(row) === 'active' && (!testMode || row.kind === 'test') ? <Revoke row={row} /> : null),
  };
  return (
    <Page title="Keys" actions={mayChange && <KeyForm />}>
      <List
        caption="keys"
        queryKey={['keys']}
        rows={() => api.listKeys()}
        idOf={({ keyId }) => keyId}
        columns={mayChange ? [...COLUMNS, revoke] : COLUMNS}
        empty={<Empty title="There is no key" />}
      />
    </Page>
  );
}

import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useAuthorName } from '../../parts/authors.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay, useSession } from '../../session/session.ts';
import { KeyForm } from './key-form.tsx';

type Key = Schemas['Key'];

const SCOPES = { full: 'full access', sending: 'send and read emails', read: 'read only' } as const;

function stateOf({ revokedAt, expiresAt }: Key): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}

function Revoke({ row: { keyId, prefix } }: { readonly row: Key }): ReactNode {
  const changed = useChanged('keys');
  return (
    <Confirm
      label="Revoke"
      title={`Revoke ${prefix}…?`}
      danger
      act={() => api.revokeKey(keyId)}
      done={changed}
      said={`Key ${prefix}… revoked.`}
    >
      Requests with this key are refused, and its console sessions end. You cannot undo this.
    </Confirm>
  );
}

const COLUMNS = [
  { name: 'Key', show: ({ prefix }: Key) => <code>{prefix}…</code>, sortValue: ({ prefix }: Key) => prefix },
  { name: 'Type', show: ({ kind }: Key) => kind, sortValue: ({ kind }: Key) => kind },
  { name: 'Scope', show: ({ scope }: Key) => (scope === null ? 'send events' : SCOPES[scope]) },
  { name: 'Status', show: (row: Key) => <Badge of={stateOf(row)} /> },
  { name: 'Last used', show: ({ lastUsedAt }: Key) => <When at={lastUsedAt} />, sortValue: ({ lastUsedAt }: Key) => lastUsedAt },
  { name: 'Expires', show: ({ expiresAt }: Key) => <When at={expiresAt} />, sortValue: ({ expiresAt }: Key) => expiresAt },
];

/** Shows the keys of the project, by their beginnings. */
export function Keys(): ReactNode {
  const mayChange = useMay('manage');
  const mayMake = useMay('keys');
  const { testMode, person } = useSession();
  const nameOf = useAuthorName();
  const isOwn = ({ createdBy }: Key): boolean => person !== null && createdBy === `person ${person.id}`;
  const maker = {
    name: 'Created by',
    show: ({ createdBy, createdAt }: Key) => (
      <>
        {createdBy === null ? 'operator' : nameOf(createdBy)}
        <div className="hint">
          <When at={createdAt} />
        </div>
      </>
    ),
  };
  const revoke = {
    name: 'Action',
    show: (row: Key) =>
      stateOf(row) === 'active' && (mayChange || isOwn(row)) && (!testMode || row.kind === 'test') ? <Revoke row={row} /> : null,
  };
  return (
    <Page title="Keys" actions={mayMake && <KeyForm />}>
      <List
        caption="keys"
        queryKey={['keys']}
        rows={() => api.listKeys()}
        idOf={({ keyId }) => keyId}
        columns={[...COLUMNS, maker, ...(mayMake ? [revoke] : [])]}
        empty={<Empty title="No keys" />}
      />
    </Page>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { Card } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay, useSession } from '../../session/session.ts';

type Member = Schemas['Member'];
type Invitation = Schemas['Invitation'];
type Role = Schemas['MemberRole'];

const ROLES = [
  ['owner', 'Owner: everything'],
  ['admin', 'Admin: everything, except to change owners'],
  ['marketer', 'Marketer: contacts, content, campaigns, automations'],
  ['analyst', 'Analyst: read only'],
  ['approver', 'Approver: read, and decide approvals'],
] as const;

const MEMBERS = ['members'];
const INVITATIONS = ['invitations'];

/** Returns the roles that the reader may give: only an owner makes an owner. */
function useRoles(): readonly (readonly [Role, string])[] {
  const { grant } = useSession();
  return grant === 'owner' ? ROLES : ROLES.filter(([role]) => role !== 'owner');
}

function ChangeRole({ member: { personId, role, address } }: { readonly member: Member }): ReactNode {
  const changed = useChanged(...MEMBERS);
  const [written, setWritten] = useState<string>(role);
  return (
    <FormDialog
      label="Change role"
      title={`Change the role of ${address}`}
      begin={() => setWritten(role)}
      send={() => api.updateMember(personId, { role: written as Role })}
      done={changed}
      said="Role saved."
    >
      <ChoiceField label="Role" value={written} change={setWritten} options={useRoles()} />
    </FormDialog>
  );
}

const KEYS = [
  ['keep', 'Keep them: programs that use them continue to work'],
  ['revoke', 'Revoke them: programs that use them stop working'],
] as const;

function Remove({ member: { personId, address } }: { readonly member: Member }): ReactNode {
  const queries = useQueryClient();
  const [keys, setKeys] = useState<string>('keep');
  return (
    <FormDialog
      label="Remove"
      title={`Remove ${address}?`}
      save="Remove"
      begin={() => setKeys('keep')}
      send={() => api.removeMember(personId, { keys: keys as 'keep' | 'revoke' })}
      done={() => void Promise.all([MEMBERS, ['keys']].map((queryKey) => queries.invalidateQueries({ queryKey })))}
      said={`${address} removed.`}
    >
      <p>The person loses access to this project at once.</p>
      <ChoiceField label="Keys that the person created" value={keys} change={setKeys} options={KEYS} />
    </FormDialog>
  );
}

function Invite(): ReactNode {
  const changed = useChanged(...INVITATIONS);
  const [written, setWritten] = useState({ address: '', role: 'marketer' });
  return (
    <FormDialog
      label="Invite person"
      title="Invite a person"
      save="Send invitation"
      begin={() => setWritten({ address: '', role: 'marketer' })}
      send={() => api.createInvitation({ address: written.address, role: written.role as Role })}
      done={changed}
      said={({ address }) => `Invitation sent to ${address}.`}
    >
      <TextField
        label="Email"
        type="email"
        value={written.address}
        change={(address) => setWritten({ ...written, address })}
        hint="The link in the message works once, within 7 days."
        required
      />
      <ChoiceField label="Role" value={written.role} change={(role) => setWritten({ ...written, role })} options={useRoles()} />
    </FormDialog>
  );
}

function Withdraw({ invitation: { invitationId, address } }: { readonly invitation: Invitation }): ReactNode {
  const changed = useChanged(...INVITATIONS);
  return (
    <Confirm
      label="Withdraw"
      title={`Withdraw the invitation of ${address}?`}
      act={() => api.withdrawInvitation(invitationId)}
      done={changed}
      said="Invitation withdrawn."
    >
      The link in the message stops working.
    </Confirm>
  );
}

const MEMBER_COLUMNS = [
  {
    name: 'Person',
    show: ({ name, address }: Member) => (name === null ? address : `${name} (${address})`),
    sortValue: ({ name, address }: Member) => name ?? address,
  },
  { name: 'Role', show: ({ role }: Member) => role, sortValue: ({ role }: Member) => role },
  { name: 'Since', show: ({ since }: Member) => <When at={since} />, sortValue: ({ since }: Member) => since },
];

const INVITATION_COLUMNS = [
  { name: 'Address', show: ({ address }: Invitation) => address, sortValue: ({ address }: Invitation) => address },
  { name: 'Role', show: ({ role }: Invitation) => role, sortValue: ({ role }: Invitation) => role },
  { name: 'Ends', show: ({ expiresAt }: Invitation) => <When at={expiresAt} />, sortValue: ({ expiresAt }: Invitation) => expiresAt },
];

/** Shows the persons of the project, and those who are invited. */
export function MembersCard(): ReactNode {
  const mayChange = useMay('manage');
  const { grant } = useSession();
  const actions = {
    name: 'Action',
    show: (member: Member) =>
      grant === 'owner' || member.role !== 'owner' ? (
        <div className="actions">
          <ChangeRole member={member} />
          <Remove member={member} />
        </div>
      ) : null,
  };
  const withdraw = { name: 'Action', show: (invitation: Invitation) => <Withdraw invitation={invitation} /> };
  return (
    <Card title="Members" actions={mayChange && <Invite />}>
      <List
        caption="members"
        queryKey={MEMBERS}
        rows={() => api.listMembers()}
        idOf={({ personId }) => personId}
        columns={mayChange ? [...MEMBER_COLUMNS, actions] : MEMBER_COLUMNS}
        empty={<Empty title="No members">Invite people, so that each of them signs in with an account of their own.</Empty>}
      />
      <h3>Invitations</h3>
      <List
        caption="invitations"
        queryKey={INVITATIONS}
        rows={() => api.listInvitations()}
        idOf={({ invitationId }) => invitationId}
        columns={mayChange ? [...INVITATION_COLUMNS, withdraw] : INVITATION_COLUMNS}
        empty={<p className="hint">No pending invitations.</p>}
      />
    </Card>
  );
}

import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveButton } from '../../parts/archive.tsx';
import { useChanged, useDeleted } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { AreaField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { useMay } from '../../session/session.ts';

type Segment = Schemas['Segment'];

/** Counts the members again: the stored count may be a minute old, this one is exact. */
const CountButton = ({ id }: { readonly id: string }): ReactNode => (
  <ActionButton
    label="Recount members"
    acting="Counting …"
    act={() => api.refreshSegment(id)}
    done={useChanged('segments')}
    said={({ memberCount }) => `Members: ${count(memberCount)}`}
  />
);

function AddMembers({ id }: { readonly id: string }): ReactNode {
  const changed = useChanged('segments');
  const [text, setText] = useState('');
  const [missing, setMissing] = useState<readonly string[]>([]);
  const send = async () => {
    const emails = text.split(/[\s,;]+/).filter(Boolean);
    const added = await api.addSegmentMembers(id, { emails });
    setMissing(added.missing);
    changed();
    if (added.missing.length > 0)
      throw new Error(`No contact has this email: ${added.missing.slice(0, 5).join(', ')}. Add the contact first.`);
    return added;
  };
  return (
    <FormDialog
      label="Add members"
      title="Add members"
      primary
      save="Add"
      send={send}
      begin={() => setMissing([])}
      said={({ added }) => `Members added: ${count(added)}`}
    >
      <AreaField
        label="Email addresses"
        hint={missing.length > 0 ? 'The others were added.' : 'One contact per line, up to 1,000'}
        required
        value={text}
        change={setText}
      />
    </FormDialog>
  );
}

const DeleteButton = ({ segment: { segmentId, name } }: { readonly segment: Segment }): ReactNode => (
  <Confirm
    label="Delete segment"
    title={`Delete ${name}?`}
    danger
    act={() => api.deleteSegment(segmentId)}
    done={useDeleted('segments')}
    said={`${name} deleted.`}
  >
    Its members remain contacts. You cannot delete a segment that is in use.
  </Confirm>
);

/** Shows buttons for a segment. */
export function SegmentActions({ segment }: { readonly segment: Segment }): ReactNode {
  const mayChange = useMay('change');
  if (!mayChange) return null;
  const { segmentId, type } = segment;
  return (
    <>
      {type === 'static' && <AddMembers id={segmentId} />}
      <Link className="button" to={`/segments/${segmentId}/edit`}>
        Edit
      </Link>
      <CountButton id={segmentId} />
      <ArchiveButton kind="segment" id={segmentId} name={segment.name} archivedAt={segment.archivedAt} />
      <DeleteButton segment={segment} />
    </>
  );
}

/** Takes one out of a segment whose members are chosen. */
export const RemoveMember = ({
  id,
  contactId,
  email,
}: {
  readonly id: string;
  readonly contactId: string;
  readonly email: string;
}): ReactNode => (
  <Confirm
    label="Remove"
    title={`Remove ${email} from the segment?`}
    act={() => api.removeSegmentMember(id, contactId)}
    done={useChanged('segments')}
    said={`${email} removed from the segment.`}
  >
    {email} remains a contact.
  </Confirm>
);
